import path from 'node:path';
import { expect } from 'chai';
import { ConfigError, readConfig } from '#lib/core/config.ts';

/** For each variable, a value that the configuration rejects. An error must not contain the text `secret`. */
const refused: Record<string, string> = {
  PORT: '65536',
  OPS_PORT: '-1',
  OPS_PASSWORD: 'secret',
  DATABASE_URL: 'mysql://postgres://user:secret@host/db',
  DATABASE_POOL: '1',
  DATABASE_WAIT_MS: '99',
  OPERATOR_PASSWORD: 'secret',
  API_PASSWORD: 'secret',
  WORKER_PASSWORD: 'secret',
  REDIS_URL: 'http://redis://:secret@host',
  RUN_WAIT_MS: '60001',
  NUMERICS_WORKERS: '0',
  NUMERICS_CONCURRENCY: '257',
  IO_CONCURRENCY: '1.5',
  WORKER_QUEUE: 'secret',
  LOCK_MS: 'secret',
  SWEEP_MS: '600001',
  DRAIN_MS: '-1',
  LOG_LEVEL: 'secret',
  VALIDATE_RESPONSES: 'secret',
};

describe('the configuration', () => {
  it('has a default for every variable that is needed to start without an environment', () => {
    expect(readConfig({})).to.deep.equal({
      CONSOLE: true,
      CONSOLE_HOST: '127.0.0.1',
      HOST: '127.0.0.1',
      AI_NETWORKS: '',
      WEBHOOK_NETWORKS: '',
      OPS_HOST: '127.0.0.1',
      ASSAY_HOME: path.resolve('.assay'),
      DATABASE_POOL: 10,
      DATABASE_WAIT_MS: 5_000,
      RATE_LIMIT_FACTOR: 1,
      ACCESS_TOKEN_S: 900,
      REQUEST_MS: 30_000,
      CORS_ORIGINS: '',
      TRUST_PROXY: false,
      QLM_PROVIDER_WAIT_S: 20,
      RUN_WAIT_MS: 20_000,
      NUMERICS_WORKERS: 1,
      OIDC_ACR: '',
      OIDC_ALGORITHM: 'RS256',
      OIDC_NAME: 'your company account',
      OIDC_NETWORKS: '',
      NODE_APP_INSTANCE: 0,
      NUMERICS_CONCURRENCY: 2,
      IO_CONCURRENCY: 4,
      WORKER_QUEUE: 'numerics',
      LOCK_MS: 5_000,
      SWEEP_MS: 2_000,
      DRAIN_MS: 25_000,
      LOG_LEVEL: 'info',
      VALIDATE_RESPONSES: false,
    });
  });

  it('converts the strings of the environment to numbers and booleans', () => {
    const config = readConfig({
      PORT: '0',
      VALIDATE_RESPONSES: 'true',
      RUN_WAIT_MS: '60000',
      NUMERICS_WORKERS: '256',
    });
    expect(config).to.include({
      PORT: 0,
      VALIDATE_RESPONSES: true,
      RUN_WAIT_MS: 60_000,
      NUMERICS_WORKERS: 256,
    });
  });

  it('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(Object.keys(refused).map((name) => [name, '']));
    expect(readConfig({ ...empty, ASSAY_HOME: '', HOST: '' })).to.deep.equal(readConfig({}));
  });

  it('ignores unknown variables', () => {
    expect(readConfig({ PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x' })).to.deep.equal(readConfig({}));
  });

  it('makes ASSAY_HOME absolute, so that it is the same folder in every process', () => {
    expect(readConfig({ ASSAY_HOME: 'some/home' }).ASSAY_HOME).to.equal(path.resolve('some/home'));
    expect(readConfig({ ASSAY_HOME: '/var/lib/assay' }).ASSAY_HOME).to.equal('/var/lib/assay');
  });

  it('lists all faults together, one line for each variable', () => {
    const lines = faultsOf(refused);
    expect(lines[0]).to.equal('the environment is not valid:');
    expect(lines.slice(1).map((line) => line.trim().split(' ')[0])).to.have.members(Object.keys(refused));
  });

  for (const [name, value] of Object.entries(refused)) {
    it(`rejects ${name} if it is ${value}, with an error that has the name and not the value`, () => {
      const lines = faultsOf({ [name]: value });
      expect(lines).to.have.lengthOf(2);
      expect(lines[1]).to.match(new RegExp(`^  ${name} must `));
      expect(lines.join()).to.not.contain('secret');
    });
  }

  it('accepts a value that equals its bound', () => {
    const bounds: [string, string][] = [
      ['PORT', '65535'],
      ['DATABASE_POOL', '2'],
      ['DATABASE_WAIT_MS', '100'],
      ['RUN_WAIT_MS', '0'],
      ['SWEEP_MS', '600000'],
      ['OPS_PASSWORD', '8letters'],
      ['API_PASSWORD', 'x'.repeat(16)],
      ['DATABASE_URL', 'postgresql://host/db'],
      ['REDIS_URL', 'rediss://host'],
    ];
    for (const [name, value] of bounds) {
      expect(String(readConfig({ [name]: value })[name as 'PORT']), name).to.equal(value);
    }
  });
});

function faultsOf(variables: Record<string, string>): string[] {
  try {
    readConfig(variables);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message.split('\n');
  }
  throw new Error('the configuration was taken');
}
