/**
 * Loaded for what it does, with `node -r onewrite/register`, `node --import
 * onewrite/register` or an `import 'onewrite/register'`: once the program serves
 * with `node:http`, all parts that `ONEWRITE` allows are switched on. Exports
 * nothing.
 */
export {};
