module.exports = { page: () => '' };
