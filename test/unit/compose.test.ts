import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readConfig, readers, type Config, type Part } from '#lib/core/config.ts';
import { workerPassword } from '#lib/database/roles.ts';
import { readCompose, type Compose } from '../support/compose.ts';

const SECRETS = [
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
  'OPS_PASSWORD',
  'API_PASSWORD',
  'WORKER_PASSWORD',
  'CONSOLE_PASSWORD',
  'OPERATOR_PASSWORD',
];
const given = Object.fromEntries(SECRETS.map((name) => [name, `${name.toLowerCase()}-of-tests`]));
/**
 * Variables that `docker/compose.yaml` does not take from the environment. The file sets some of them itself.
 * The others are used only by the embedded database, PM2 and `serve`.
 */
const fixed: (keyof Config)[] = [
  ...(['PORT', 'HOST', 'OPS_PORT', 'OPS_HOST', 'DATABASE_URL', 'REDIS_URL', 'WORKER_QUEUE'] as const),
  'DATABASE_DIRECT_URL',
  ...(['CONSOLE', 'CONSOLE_PORT', 'CONSOLE_HOST'] as const),
  ...(['HEARTBEAT_FILE', 'ASSAY_HOME', 'NODE_APP_INSTANCE', 'NUMERICS_WORKERS'] as const),
];
const parts: Record<string, Part> = {
  api: 'api',
  'worker-numerics': 'numerics',
  'worker-io': 'io',
  scheduler: 'scheduler',
  console: 'console',
  migrate: 'migrate',
  operator: 'operator',
};
const partsWith = (services: Compose['services'], has: (environment: Record<string, string>) => boolean) =>
  Object.keys(parts)
    .filter((name) => has(services[name]!.environment!))
    .map((name) => parts[name]!);
const ours = (compose: Compose) =>
  Object.entries(compose.services).filter(([, { image }]) => image === 'assay');

describe('docker/compose.yaml', () => {
  let compose: Compose;
  before(async () => (compose = await readCompose(given)));

  it('cannot be started if any one of its secrets is missing', async () => {
    for (const name of SECRETS) {
      const { [name]: _, ...rest } = given;
      expect((await readCompose(rest).catch((error: Error) => error.message)).toString()).to.include(name);
    }
  });

  it('gives each service of Assay an environment that passes the check of the configuration', () => {
    for (const [name, { environment }] of ours(compose)) {
      expect(() => readConfig(environment), name).not.to.throw();
    }
  });

  it('passes every variable of the configuration to exactly the services that read the variable', async () => {
    const names = Object.keys(readers) as (keyof Config)[];
    const marked = Object.fromEntries(names.map((name) => [name, `${name} as set`]));
    const { services } = await readCompose({ ...given, ...marked });
    for (const name of names.filter((each) => !fixed.includes(each))) {
      const reached = partsWith(services, (environment) => environment[name] === marked[name]);
      expect(reached, name).to.have.members([...readers[name]]);
    }
    for (const name of fixed) {
      const has = partsWith(services, (environment) => environment[name] !== undefined);
      expect(readers[name], name).to.include.members(has);
    }
  });

  it('gives each service the database role of its kind', () => {
    const users = ours(compose).map(([name, { environment }]) => [
      name,
      new URL(environment!['DATABASE_URL']!).username,
    ]);
    expect(Object.fromEntries(users)).to.deep.equal({
      migrate: 'assay_owner',
      api: 'assay_api',
      'worker-numerics': 'assay_worker',
      'worker-io': 'assay_worker',
      scheduler: 'assay_worker',
      console: 'assay_console',
      operator: 'assay_operator',
    });
  });

  it('gives the operator service the same encryption keys as the workers, whether the keys are set or derived', async () => {
    const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
    const keys = { SIGNING_SECRET: key(1), WEBHOOK_KEY: key(2), AI_CONNECTION_KEY: key(3) };
    const networks = { WEBHOOK_NETWORKS: '10.1.0.0/16', AI_NETWORKS: '10.2.0.0/16' };
    for (const variables of [{ ...keys, ...networks }, {}]) {
      const { services } = await readCompose({ ...given, ...variables });
      const [operator, worker] = ['operator', 'worker-io'].map((name) => services[name]!.environment!);
      expect(operator).to.include(variables);
      for (const name of Object.keys({ ...keys, ...networks }))
        expect(operator![name]).to.equal(worker![name]);
      const config = readConfig(operator);
      const known = workerPassword(operator!['DATABASE_URL']!, config);
      expect(known).to.equal(new URL(worker!['DATABASE_URL']!).password);
    }
  });

  it('starts every other service after the migration has succeeded, and checks its health', () => {
    for (const [name, service] of ours(compose)) {
      if (name === 'migrate' || name === 'operator') continue;
      expect(service.depends_on!['migrate']!.condition, name).to.equal('service_completed_successfully');
      expect(service.healthcheck!.test, name).to.have.length.greaterThan(1);
    }
  });

  it('runs files that exist, without privileges and on a read-only file system', async () => {
    for (const [name, service] of ours(compose)) {
      const words = service.command ?? ['node', 'api/process/server.ts'];
      if (words[0] === 'node') await readFile(words[1]!);
      expect(service.read_only, name).to.equal(true);
      expect(service.cap_drop, name).to.deep.equal(['ALL']);
    }
  });

  it('declares every volume that it mounts', () => {
    for (const { volumes = [] } of Object.values(compose.services)) {
      for (const volume of volumes) {
        const [source] = volume.split(':');
        if (!source!.startsWith('.')) expect(compose.volumes).to.have.property(source!);
      }
    }
  });
});

describe('docker/Dockerfile', () => {
  it('copies only the files needed at run time, and runs as a user without privileges', async () => {
    const lines = (await readFile('docker/Dockerfile', 'utf8')).split('\n');
    const copied = lines
      .filter((line) => line.startsWith('COPY') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(new Set(copied)).to.deep.equal(
      new Set(['package.json', 'package-lock.json', 'LICENSE', 'lib', 'api', 'workers']),
    );
    expect(lines).to.include('USER node');
    expect(lines.join('\n')).not.to.match(/password|secret|api_key/i);
  });
});
