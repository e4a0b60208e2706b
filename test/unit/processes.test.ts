import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { environmentOf, readers, type Config, type Part } from '#lib/core/config.ts';
import { HEAP_OPTIONS, MEMORY_VARIABLES } from '#lib/core/heap.ts';

const run = promisify(execFile);
const names = Object.keys(readers) as (keyof Config)[];
const marked = Object.fromEntries(names.map((name) => [name, `${name} as set`]));

describe('the environment of a process', () => {
  it('has only the variables that the process reads and the variables of the machine', () => {
    const foreign = {
      AWS_SECRET_ACCESS_KEY: 'a',
      PGPASSWORD: 'b',
      GITHUB_TOKEN: 'c',
      OTHER_DATABASE_URL: 'd',
    };
    const machine = { PATH: '/bin', NODE_COMPILE_CACHE: '/tmp', OTEL_SERVICE_NAME: 'assay', TZ: 'UTC' };
    for (const part of ['api', 'console', 'numerics', 'io', 'scheduler'] as const) {
      const own = Object.fromEntries(
        Object.entries(marked).filter(([name]) => readers[name as keyof Config].includes(part)),
      );
      expect(environmentOf(part, { ...marked, ...foreign, ...machine }), part).to.deep.equal({
        ...own,
        ...machine,
      });
    }
  });
});

describe('ecosystem.config.js', () => {
  type App = { name: string; env: Record<string, string>; filter_env: string[]; node_args: string };

  /**
   * Returns the processes of `ecosystem.config.js`. PM2 reads this file in the environment of the shell that
   * starts PM2.
   */
  async function appsWith(env: Record<string, string>): Promise<Map<string, App>> {
    const script = `import('./ecosystem.config.js').then(({ apps }) => console.log(JSON.stringify(apps)))`;
    const { stdout } = await run(process.execPath, ['-e', script], { env });
    return new Map((JSON.parse(stdout) as App[]).map((app) => [app.name, app]));
  }

  const parts: Record<string, Part> = {
    api: 'api',
    'worker-numerics': 'numerics',
    'worker-io': 'io',
    scheduler: 'scheduler',
    console: 'console',
  };
  /** Variables that PM2 or `ecosystem.config.js` sets. */
  const fixed = new Set(['NODE_APP_INSTANCE', 'NUMERICS_WORKERS', 'WORKER_QUEUE', 'OPS_PORT']);
  /** The password with which each process derives the URL of its role from the URL of the owner. */
  const passwordOf: Record<string, string> = {
    api: 'API_PASSWORD',
    console: 'CONSOLE_PASSWORD',
    default: 'WORKER_PASSWORD',
  };

  it('passes every variable of the configuration to exactly the processes that read the variable', async () => {
    const apps = await appsWith({ ...marked, NUMERICS_WORKERS: '1', API_PROCESSES: '1' });
    for (const [name, part] of Object.entries(parts)) {
      const { env, filter_env: filtered } = apps.get(name)!;
      const isFiltered = (variable: string) => filtered.some((each) => variable.includes(each));
      for (const variable of names.filter((each) => !fixed.has(each))) {
        const isRead =
          readers[variable].includes(part) || variable === (passwordOf[name] ?? passwordOf['default']);
        const about = `${variable} for ${name}`;
        expect(env[variable] || undefined, about).to.equal(isRead ? marked[variable] : undefined);
        if (/PASSWORD|SECRET|KEY|_URL/.test(variable)) expect(isFiltered(variable), about).to.equal(true);
      }
    }
  });

  it('overrides in the API each secret, which a PM2 cluster would otherwise inherit from the daemon', async () => {
    const api = (await appsWith(marked)).get('api')!;
    for (const name of names.filter((each) => /PASSWORD|SECRET|KEY/.test(each)))
      expect(api.env, name).to.have.property(name);
  });

  it('bounds the memory as `serve` and the image do', async () => {
    for (const { env, node_args } of (await appsWith({})).values()) {
      expect(node_args).to.equal(HEAP_OPTIONS.join(' '));
      expect(env).to.include(MEMORY_VARIABLES);
    }
    const image = await readFile('docker/Dockerfile', 'utf8');
    const variables = { NODE_OPTIONS: HEAP_OPTIONS.join(' '), ...MEMORY_VARIABLES };
    for (const [name, value] of Object.entries(variables)) expect(image).to.contain(` ${name}=${value} `);
  });

  it('gives each process the database URL of its role if this URL is set', async () => {
    const urls = {
      DATABASE_URL: 'owner',
      API_DATABASE_URL: 'api',
      WORKER_DATABASE_URL: 'worker',
      CONSOLE_DATABASE_URL: 'console',
    };
    const apps = await appsWith(urls);
    const given = [...apps.values()].map(({ name, env }) => [name, env['DATABASE_URL']]);
    expect(Object.fromEntries(given)).to.deep.equal({
      api: 'api',
      'worker-numerics': 'worker',
      'worker-io': 'worker',
      scheduler: 'worker',
      console: 'console',
    });
  });
});
