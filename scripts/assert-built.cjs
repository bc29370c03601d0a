// npm runs this in the folder of a package before it packs it: without a build the archive would hold no program.
'use strict';

const fs = require('node:fs');

if (!fs.existsSync('dist')) {
  process.stderr.write('There is no build to pack. Run npm run build in the clone first.\n');
  process.exitCode = 1;
}
