'use strict';

/**
 * @param {string[][]} rows all of the same length
 * @returns {string[]} lines with the columns aligned
 */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('   ')
      .trimEnd(),
  );
}

module.exports = { table };
