/**
 * Makes a clone ready and prints the path of the Node that runs the project.
 *
 * The only file here that an older Node has to understand (18 and newer), so it is plain JavaScript.
 * What it does is decided by content stamps: the packages are installed again when the lockfile or a manifest
 * changed, the web app is built again when its sources did, and otherwise nothing happens at all.
 * Only the path goes to standard output; everything a person reads goes to standard error.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

class Failure extends Error {}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pnpm = 'pnpm@12.18.0';
const build = !process.argv.includes('--no-build');

const manifests = [
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'package.json',
  'bff/package.json',
  'web/package.json',
  'e2e/package.json',
];
/** What a browser runs: of the server's sources, those that its package exports. */
const { exports } = JSON.parse(readFileSync(join(root, 'bff/package.json'), 'utf8'));
// A pattern stands for files of its folder.
const shared = Object.values(exports).map((file) => join('bff', file.replace(/\/\*.*/, '')));
const webSources = ['web', ...shared, 'tsconfig.base.json', 'pnpm-lock.yaml'];

// Both stamps lie beside what they vouch for, so that deleting the one deletes the other.
const installed = { stamp: 'node_modules/.swarmdeck-installed', result: 'node_modules/.modules.yaml' };
const built = { stamp: 'node_modules/.swarmdeck-built', result: 'web/dist/index.html' };

try {
  const ready = () => projectNode() && upToDate(installed, manifests) && (!build || upToDate(built, webSources));
  if (!ready()) {
    await alone(() => {
      if (!projectNode() || !upToDate(installed, manifests)) install();
      if (build && !upToDate(built, webSources)) buildWeb(projectNode());
    });
  }
  process.stdout.write(projectNode());
} catch (error) {
  say(error instanceof Failure ? error.message : error);
  process.exitCode = 1;
}

function install() {
  say('installing the packages, once (about 20 s)');
  rmSync(join(root, installed.stamp), { force: true });
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  run(npx, ['--yes', pnpm, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'], {
    failed: 'The packages could not be installed; the lines above say why. A registry has to be within reach.',
  });
  writeFileSync(join(root, installed.stamp), hash(manifests));
}

function buildWeb(node) {
  say('building the web app');
  const sources = hash(webSources);
  rmSync(join(root, built.stamp), { force: true });
  run(node, [join(root, 'web/node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'web'),
    failed: 'The web app could not be built; the lines above say why.',
  });
  writeFileSync(join(root, built.stamp), sources);
}

/** The Node 24 that came with the packages; undefined until they are installed. Elsewhere the one that runs this. */
function projectNode() {
  const { platform, arch, versions } = process;
  if (platform === 'linux' && ['x64', 'arm64'].includes(arch)) {
    const shipped = join(root, `node_modules/node-linux-${arch}/bin/node`);
    return existsSync(shipped) ? shipped : undefined;
  }
  if (Number(versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Failure(
    `Swarmdeck runs on Node 24 and brings none along for ${platform} ${arch}. This is Node ${versions.node}: ` +
      'please install Node 24 or newer and run the command again.',
  );
}

function upToDate({ stamp, result }, sources) {
  const path = join(root, stamp);
  return existsSync(path) && existsSync(join(root, result)) && readFileSync(path, 'utf8') === hash(sources);
}

/** One digest over the names and contents of files and folders. */
function hash(paths) {
  const digest = createHash('sha256');
  for (const path of paths.flatMap(filesIn)) {
    digest
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return digest.digest('hex');
}

/** The file itself, or the files below a folder that can change a build: no tests, nothing installed or built. */
function filesIn(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .filter((name) => !['node_modules', 'dist'].includes(name) && !/\.test\.tsx?$/.test(name))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}

/** Two commands started at once must not install over one another: the second waits, and then finds it done. */
async function alone(work) {
  const lock = join(root, '.cache/prepare.lock');
  mkdirSync(dirname(lock), { recursive: true });
  for (let waited = false; !acquired(lock); waited = true) {
    if (!waited) say('another command is preparing this folder; waiting for it');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function acquired(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!holderLives(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function holderLives(lock) {
  try {
    // ten minutes are more than any install takes: the number has gone to another process since
    if (Date.now() - statSync(lock).mtimeMs > 600_000) return false;
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function run(command, args, { cwd = root, failed }) {
  const env = { ...process.env };
  // with NODE_ENV=production the tools would not be installed, and a development build would differ
  delete env.NODE_ENV;
  env.npm_config_update_notifier = 'false';
  const { status, error } = spawnSync(command, args, {
    cwd,
    env,
    stdio: ['ignore', 2, 2],
    shell: command === 'npx.cmd',
  });
  if (error || status !== 0) throw new Failure(error ? `${failed} (${error.message})` : failed);
}

function say(message) {
  process.stderr.write(`swarmdeck: ${message}\n`);
}
