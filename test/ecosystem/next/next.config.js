export default { generateBuildId: () => 'build', outputFileTracingRoot: import.meta.dirname };
