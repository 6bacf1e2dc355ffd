#!/usr/bin/env node
// The command of the package. An older Node must understand this file, to say that it is too old.
'use strict';

const { node } = process.versions;
if (Number(node.split('.')[0]) >= 24) {
  void import('./cli.js');
} else {
  process.stderr.write(
    `Swarmdeck needs Node 24 or newer, and this is Node ${node}. Install Node 24 and run the command again.\n`,
  );
  process.exitCode = 1;
}
