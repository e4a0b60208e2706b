import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { databaseName } from '#lib/database/roles.ts';
import { testCluster } from '../support/backends.ts';
import { readCompose, type Compose, type ComposeService } from '../support/compose.ts';
import { freePort, redisIsThere, startRedis, type RedisServer } from '../support/redis.ts';
import { eventually } from '../support/runs.ts';

const NOBODY = 65_534;

type User = { uid?: number; gid?: number };

/** Returns the user of the image's processes: nobody, or the user of the tests if only root could change it. */
function asNobody(): User {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}

// Repeats the steps of Docker without Docker: the copies and the install of the Dockerfile, then the commands
// and the environments of compose.yaml. The processes run as a user who owns no file. Only the host names and
// ports differ.
(redisIsThere() ? describe : describe.skip)('The image and compose.yaml, without Docker', () => {
  let image: string;
  let compiled: string;
  let redis: RedisServer;
  let compose: Compose;
  let ownerUrl: string;
  const running: ChildProcess[] = [];

  before(async function () {
    ({ folder: image, compiled } = await buildImage());
    redis = await startRedis();
    ownerUrl = await (await testCluster()).emptyDatabase('assay');
    compose = await readCompose({
      POSTGRES_PASSWORD: new URL(ownerUrl).password,
      REDIS_PASSWORD: 'none',
      OPS_PASSWORD: 'ops-password-of-tests',
      API_PASSWORD: 'api-password-of-tests',
      WORKER_PASSWORD: 'worker-password-of-tests',
      OPERATOR_PASSWORD: 'operator-password-of-tests',
      CONSOLE_PASSWORD: 'console-password-of-tests',
      CONSOLE_URL: 'https://console.assay.example',
    });
  });
  after(async () => {
    for (const child of running) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
    await redis?.stop();
    await rm(image, { recursive: true, force: true });
  });

  const start = (service: ComposeService, further: Record<string, string> = {}, words?: string[]) => {
    const { host, pathname } = new URL(ownerUrl);
    const environment = { ...service.environment };
    const database = new URL(environment['DATABASE_URL']!);
    database.host = host;
    expect(database.pathname).to.equal(pathname);
    environment['DATABASE_URL'] = database.href;
    if (environment['REDIS_URL']) environment['REDIS_URL'] = redis.url;
    const [program, ...rest] = [...(words ?? service.command ?? ['node', 'api/process/server.ts'])];
    const child = spawn(program === 'node' ? process.execPath : program!, rest, {
      cwd: image,
      env: { NODE_ENV: 'production', NODE_COMPILE_CACHE: compiled, ...environment, ...further },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...asNobody(),
    });
    running.push(child);
    return child;
  };
  const output = async (child: ChildProcess) => {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'exit'),
    ]);
    return { stdout, stderr, code };
  };

  it('runs the migration, the API, the workers and the provisioning commands', async function () {
    const { services } = compose;
    expect(databaseName(services['api']!.environment!['DATABASE_URL']!)).to.equal('assay');
    expect(await output(start(services['migrate']!))).to.include({ code: 0 });
    const PORT = String(await freePort());
    start(services['api']!, { PORT, OPS_PORT: '0', HOST: '127.0.0.1' });
    start(services['worker-numerics']!, { OPS_PORT: '0', HEARTBEAT_FILE: '' });
    start(services['worker-io']!, { OPS_PORT: '0', HEARTBEAT_FILE: '' });
    start(services['scheduler']!, { OPS_PORT: '0', HEARTBEAT_FILE: '' });
    const url = `http://127.0.0.1:${PORT}`;
    await eventually(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok);

    const consolePort = String(await freePort());
    start(services['console']!, { CONSOLE_HOST: '127.0.0.1', CONSOLE_PORT: consolePort, OPS_PORT: '0' });
    await eventually(() => answersSignIn(consolePort));

    const operate = async (...words: string[]) => {
      const command = ['node', 'api/cli/main.ts', ...words, '--json'];
      const { stdout, stderr, code } = await output(start(services['operator']!, {}, command));
      expect(code, stderr).to.equal(0);
      return JSON.parse(stdout);
    };
    const { uid: workspace } = await operate('workspace', 'create', '--name', 'Acme');
    const { uid: owner } = await operate(
      ...['person', 'create', '--workspace', workspace, '--name', 'Ann', '--email', 'ann@acme.example'],
      ...['--roles', 'owner'],
    );
    const { uid: application } = await operate(
      ...['app', 'create', '--workspace', workspace, '--name', 'research', '--environment', 'sandbox'],
      ...['--scopes', 'all', '--owner', owner],
    );
    const { api_key } = await operate('key', 'issue', '--app', application);
    await operate('import', 'prices', 'lib/sample/prices_monthly.csv.gz', '--workspace', workspace);
    await operate(
      ...['import', 'taxonomy', 'lib/sample/taxonomy.csv', '--versions', 'lib/sample/taxonomy_versions.csv'],
      ...['--workspace', workspace],
    );
    const answer = await fetch(`${url}/api/v2/investment/theme-watch/factors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}` },
    });
    expect(answer.status).to.equal(201);
    expect(((await answer.json()) as { state: string }).state).to.equal('succeeded');
  });

  it('contains the compiled code, so that no process loads the compiler', async () => {
    const entries = ['api/process/server.ts', 'api/console/server.ts', 'workers/process/load-all.ts'];
    const tell =
      "process.on('exit', () => console.log(process.moduleLoadList.filter((name) => /amaro/.test(name))))";
    for (const entry of entries) {
      const child = spawn(process.execPath, ['--import', `data:text/javascript,${tell}`, entry], {
        cwd: image,
        env: { NODE_COMPILE_CACHE: compiled, ASSAY_HOME: image },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...asNobody(),
      });
      const { stdout } = await output(child);
      expect(stdout.trim().split('\n').at(-1), entry).to.equal('[]');
    }
  });
});

/** Whether the console answers a request whose `Host` is that of its public URL. `fetch` cannot set this header. */
async function answersSignIn(port: string): Promise<boolean> {
  const headers = { host: 'console.assay.example' };
  const request = get({ host: '127.0.0.1', port, path: '/console/sign-in', headers });
  const [response] = (await once(request, 'response').catch(() => [])) as [IncomingMessage?];
  response?.resume();
  return response?.statusCode === 200;
}

/**
 * Executes the COPY and RUN lines of the Dockerfile in a folder. Returns the folder, and the folder in it that contains
 * the compiled code.
 */
async function buildImage(): Promise<{ folder: string; compiled: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-image-'));
  await chmod(folder, 0o755);
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, path.join(bin, 'node'));
  await writeFile(path.join(folder, '.npmrc'), 'loglevel=error\n');
  const lines = (await readFile('docker/Dockerfile', 'utf8')).split('\n');
  const environment: Record<string, string> = {};
  const user: User = {};
  const owner = asNobody().uid ?? process.getuid!();
  for (const line of lines) {
    const [instruction, ...words] = line.split(' ');
    if (instruction === 'COPY' && !line.includes('--from')) {
      const target = path.join(folder, words.pop()!);
      for (const source of words) {
        const isFolder = words.length > 1 || line.endsWith('./');
        if (isFolder) await mkdir(target, { recursive: true });
        await cp(source, isFolder ? path.join(target, source) : target, { recursive: true });
      }
    }
    if (instruction === 'ENV')
      for (const word of words) {
        const at = word.indexOf('=');
        environment[word.slice(0, at)] = word.slice(at + 1).replace('/assay', folder);
      }
    if (instruction === 'USER') Object.assign(user, asNobody());
    const here = words.map((word) => (words[0] === 'install' && word === 'node' ? String(owner) : word));
    if (instruction === 'RUN') await run(folder, here, { environment, user });
  }
  await rm(bin, { recursive: true });
  return { folder, compiled: environment['NODE_COMPILE_CACHE']! };
}

/** Runs a command with this version of Node, as in the image. */
async function run(
  folder: string,
  words: string[],
  { environment, user }: { environment: Record<string, string>; user: User },
): Promise<void> {
  const bin = path.join(folder, 'bin');
  const child = spawn(words[0]!, words.slice(1), {
    cwd: folder,
    env: { ...process.env, ...environment, NODE_ENV: '', PATH: `${bin}:${process.env['PATH']}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...user,
  });
  const [code] = await once(child, 'exit');
  expect(code, words.join(' ')).to.equal(0);
}
