// Removes from the installed packages what neither a build nor the server reads. Plain JavaScript: it runs on whatever Node the machine has.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** Source maps and declarations of types: a fifth of what npm unpacks, for debuggers and the compiler alone. */
const FOR_TOOLS = /\.(?:map|d\.[cm]?ts)$/;
/** The file in node_modules that says so. npm removes it with the packages. */
const MARK = '.errand-lean';

const markOf = (modules) => path.join(modules, MARK);

const namesIn = (folder) => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);

/** The folders of packages. npm makes all of them first, and then unpacks one package after the other. */
function packageFolders(modules) {
  const visible = (folder) => namesIn(folder).filter((name) => name[0] !== '.');
  return visible(modules)
    .flatMap((name) =>
      name[0] === '@' ? visible(path.join(modules, name)).map((part) => path.join(name, part)) : name,
    )
    .map((name) => path.join(modules, name));
}

/** Does not follow links: behind them are the packages of this repository. */
function removeFilesForTools(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) removeFilesForTools(file);
    else if (entry.isFile() && FOR_TOOLS.test(entry.name)) fs.rmSync(file);
  }
}

/** A third of what a Node takes on disk are headers for compiling add-ons, of which there are none here. */
function removeHeaders(modules) {
  const parts = path.join(modules, 'node', 'node_modules');
  for (const name of namesIn(parts).filter((part) => part.startsWith('node'))) {
    fs.rmSync(path.join(parts, name, 'include'), { recursive: true, force: true });
  }
}

/** Keeps what building and running need. The mark is written first: a removal that is cut short is one as well. */
function makeLean(modules) {
  fs.writeFileSync(markOf(modules), '');
  removeFilesForTools(modules);
}

const isLean = (modules) => fs.existsSync(markOf(modules));

/**
 * Removes the packages that lack files, so that npm unpacks them again: it compares versions, not files. Node stays,
 * because it may be running.
 */
function removeLeanPackages(modules) {
  for (const folder of packageFolders(modules)) {
    if (folder !== path.join(modules, 'node')) fs.rmSync(folder, { recursive: true, force: true });
  }
  fs.rmSync(path.join(modules, '.package-lock.json'), { force: true });
  fs.rmSync(markOf(modules), { force: true });
}

module.exports = { packageFolders, removeHeaders, makeLean, isLean, removeLeanPackages };
