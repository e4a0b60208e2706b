import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { createLog } from '#lib/core/log.ts';

function written(log: (logger: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  log(createLog('test', 'info', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  const SECRET = 'svc_test_aBcDeFgHiJ1234567890';

  it('contains one JSON line for each event', () => {
    const line = JSON.parse(written((log) => log.info({ run: 'tfr_1' }, 'job')));
    expect(line).to.include({ level: 'info', name: 'test', run: 'tfr_1', msg: 'job' });
    expect(line.time).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  for (const name of ['authorization', 'api_key', 'client_secret', 'access_token', 'password', 'cookie']) {
    it(`never contains the member ${name}, at any depth`, () => {
      for (const value of [
        { [name]: 'hidden' },
        { a: { [name]: 'hidden' } },
        { a: { b: { [name]: 'hidden' } } },
      ]) {
        expect(written((log) => log.info(value, 'event'))).not.to.include('hidden');
      }
    });
  }

  it('contains no password of a database URL from an error, its cause or its stack', () => {
    const cause = new Error('connect postgres://assay_api:hidden-1@127.0.0.1:5432/assay failed');
    const error = new Error('redis://:hidden-2@127.0.0.1:6379 is away', { cause });
    const line = written((log) => log.error({ err: error }, 'failed'));
    expect(line).not.to.match(/hidden/);
    expect(line).to.include('127.0.0.1:5432');
  });

  it('contains the type, code, message and stack of an error, but not its other properties', () => {
    const attached = { rawPacket: Buffer.from('hidden'), client: { processID: 1, secretKey: 'hidden' } };
    const cause = Object.assign(new TypeError('inner'), attached);
    const error = Object.assign(new Error('outer', { cause }), attached, { code: 'HPE_INVALID_CHUNK_SIZE' });
    const events = [{ err: error }, error, { error }, { about: [{ error: new AggregateError([error]) }] }];
    for (const event of events) {
      const line = written((log) => log.error(event, 'failed'));
      expect(line).not.to.match(/hidden|rawPacket|client|secretKey|104,105/);
      expect(line).to.match(
        /"type":"Error","message":"outer","code":"HPE_INVALID_CHUNK_SIZE","stack":"Error: outer/,
      );
      expect(line).to.match(/"type":"TypeError","message":"inner","stack":"TypeError: inner/);
    }
  });

  it('contains one line for a crash of the process, and Node prints no output of its own', () => {
    const program = `
      import { createLog, endOnCrash } from '#lib/core/log.ts';
      endOnCrash(createLog('test', 'info'));
      await Promise.reject(Object.assign(new Error('outer'), { rawPacket: Buffer.from('hidden') }));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect([status, stderr]).to.deep.equal([1, '']);
    expect(stdout)
      .to.match(/^\{"level":"fatal".*"message":"outer".*\}\n$/)
      .and.not.match(/rawPacket|104/);
  });

  it('contains no keys and tokens from an error', () => {
    const line = written((log) => log.error({ err: new Error(`Bearer ${SECRET} of ${SECRET}`) }, 'failed'));
    expect(line).not.to.include(SECRET);
  });
});
