import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { encrypt } from '#lib/core/encryption.ts';
import { readDeployment } from '#lib/infrastructure/deployment/deployment.query.ts';
import { controlKeys, postureOf, type KnownControl } from '#lib/infrastructure/posture/controls.ts';
import { restoreFinding } from '#lib/infrastructure/posture/recovery.query.ts';
import { secretsFinding } from '#lib/infrastructure/posture/secrets.query.ts';
import { closableDays, withClosed } from '#lib/infrastructure/usage/closed-buckets.ts';
import { bucketsOf, isUnmeasured } from '#lib/infrastructure/usage/meters.ts';
import { reconcile } from '#lib/infrastructure/usage/reconcile.ts';
import { sha256 } from '#lib/core/seal.ts';

const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe('the buckets of usage', () => {
  it('divide a period at the boundaries of the granularity, and refuse a period with other bounds', () => {
    const months = bucketsOf(day('2026-01-01'), day('2026-04-01'), 'month');
    expect(months.ok && months.buckets.map(({ to }) => to.toISOString().slice(0, 10))).to.deep.equal([
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
    ]);
    const codeOf = (...given: Parameters<typeof bucketsOf>) => {
      const verdict = bucketsOf(...given);
      return verdict.ok ? verdict.buckets.length : verdict.code;
    };
    expect(codeOf(day('2026-01-02'), day('2026-02-01'), 'month')).to.equal('edge');
    expect(codeOf(new Date('2026-01-01T00:30:00Z'), day('2026-02-01'), 'hour')).to.equal('edge');
    expect(codeOf(day('2026-02-01'), day('2026-02-01'), 'day')).to.equal('order');
    expect(codeOf(day('2025-01-01'), day('2026-02-05'), 'day')).to.equal(400);
    expect(codeOf(day('2025-01-01'), day('2026-02-06'), 'day')).to.equal('too_many');
  });

  it('are compared exactly with a recount, and every difference is reported', () => {
    const single = { records: 1, hash: null };
    const records = [
      { uid: 'a', at: '2026-01-01T10:00:00.000001Z', value: '0.1', ...single },
      { uid: 'b', at: '2026-01-01T23:59:59.999999Z', value: '0.2', ...single },
      { uid: 'c', at: '2026-01-02T00:00:00.000000Z', value: '5', ...single },
    ];
    const source = { table: 'run', records: 2, hash: sha256('a:0.1,b:0.2') };
    const bucket = { from: day('2026-01-01'), to: day('2026-01-02'), value: '0.3', source };
    expect(reconcile('compute.run_seconds', [bucket], records)).to.deep.equal([]);
    const wrong = reconcile('compute.run_seconds', [{ ...bucket, value: '0.30000000000000004' }], records);
    expect(wrong.map(({ member, counted }) => [member, counted])).to.deep.equal([['value', '0.3']]);
    const missing = reconcile('compute.run_seconds', [bucket], records.slice(1));
    expect(missing.map(({ member }) => member)).to.deep.equal(['value', 'records', 'hash']);
    const folded = { uid: '2026-01-01/day', at: '2026-01-01T00:00:00.000000Z', value: '0.3' };
    const kept = { records: 2, hash: source.hash };
    expect(reconcile('api.requests', [bucket], [{ ...folded, ...kept }])).to.deep.equal([]);
    const fewer = reconcile('api.requests', [bucket], [{ ...folded, ...kept, records: 1 }]);
    expect(fewer.map(({ member }) => member)).to.deep.equal(['records']);
    expect(reconcile('api.requests', [{ ...bucket, value: null, source: null }], records)).to.deep.equal([]);
  });

  it('have no value if they ended before the measurement began', () => {
    const bucket = { from: day('2026-01-01'), to: day('2026-01-02') };
    expect(isUnmeasured(bucket, null)).to.equal(true);
    expect(isUnmeasured(bucket, day('2026-01-02'))).to.equal(true);
    expect(isUnmeasured(bucket, new Date('2026-01-01T23:00:00Z'))).to.equal(false);
  });
});

describe('closed buckets', () => {
  const source = (records: number) => ({ table: 'run', records, hash: sha256(`h${records}`) });
  const bucket = (from: string, to: string, value: string, records: number) => ({
    ...{ from: day(from), to: day(to), value, currency: null, source: source(records) },
  });
  const stored = (date: string, value: string | null, records: number, currency: string | null = null) => ({
    ...{ day: `${date}T00:00:00.000Z`, value, records, currency, hash: sha256(`${date}${value}`) },
  });

  it('replace the usage of their days, and count later records as late', () => {
    const [answered] = withClosed(
      [bucket('2026-01-01', '2026-01-02', '9', 4)],
      [stored('2026-01-01', '3', 2)],
      false,
    );
    expect(answered).to.include({ value: '3', isClosed: true, late: 2 });
    expect(answered!.source).to.include({ records: 2, hash: sha256('2026-01-013') });
  });

  it('close a longer bucket only if they include all of its days, with the exact sum or the last value of the days', () => {
    const whole = bucket('2026-01-01', '2026-01-04', '1', 6);
    const days = [
      stored('2026-01-01', '0.1', 1),
      stored('2026-01-02', '0.2', 2),
      stored('2026-01-03', '0.3', 3),
    ];
    const [sum] = withClosed([whole], days, false);
    expect(sum).to.include({ value: '0.6', isClosed: true, late: 0 });
    expect(withClosed([whole], days, true)[0]).to.include({ value: '0.3', isClosed: true });
    expect(withClosed([whole], days.slice(1), false)[0]).to.include({ value: '1', isClosed: false, late: 0 });
    const hour = { ...bucket('2026-01-01', '2026-01-01', '1', 1), to: new Date('2026-01-01T01:00:00Z') };
    expect(withClosed([hour], days, false)[0]!.isClosed).to.equal(false);
  });

  it('have no value if their days have different currencies or if a day has no value', () => {
    const whole = bucket('2026-01-01', '2026-01-03', '1', 3);
    const of = (...days: ReturnType<typeof stored>[]) => withClosed([whole], days, false)[0]!.value;
    expect(of(stored('2026-01-01', '1', 1, 'EUR'), stored('2026-01-02', '2', 2, 'EUR'))).to.equal('3');
    expect(of(stored('2026-01-01', '1', 1, 'EUR'), stored('2026-01-02', '2', 2, 'USD'))).to.equal(null);
    expect(of(stored('2026-01-01', '1', 1, 'EUR'), stored('2026-01-02', null, 2))).to.equal(null);
  });

  it('are the seven newest days that ended 48 hours ago', () => {
    const days = closableDays(new Date('2026-01-10T05:00:00Z'));
    expect(days.length).to.equal(7);
    expect(days.at(-1)!.to.toISOString()).to.equal('2026-01-08T00:00:00.000Z');
  });
});

describe('the finding about restores', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const trial = { kind: 'rehearsal', succeeded: true, code: null, triedAt: new Date('2026-05-01T00:00:00Z') };

  it('is unknown without a trial, and passes only after a success within 100 days', () => {
    expect(restoreFinding(undefined, now)).to.deep.equal({
      status: 'not_evaluated',
      detailCode: 'no_restore_tried',
    });
    expect(restoreFinding(trial, now)).to.include({ status: 'pass', detailCode: 'restored' });
    const old = { ...trial, triedAt: new Date('2026-01-01T00:00:00Z') };
    expect(restoreFinding(old, now)).to.include({ status: 'fail', detailCode: 'restore_old' });
    const failed = { ...trial, succeeded: false, code: 'backup_damaged' };
    expect(restoreFinding(failed, now)).to.include({ status: 'fail', detailCode: 'restore_failed' });
  });
});

describe('the finding about secrets', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const secret = (with_: Buffer, about = 'a') => ({ about, sealed: encrypt('secret', with_, about) });

  it('passes only if the current key decrypts every secret together with the record to which the secret belongs', () => {
    const of = (...secrets: { about: string; sealed: string }[]) =>
      secretsFinding([{ kind: 'ai', key, secrets }]);
    expect(of().status).to.equal('not_applicable');
    expect(of(secret(key))).to.include({ status: 'pass', detailCode: 'current_keys' });
    expect(of(secret(key), secret(other))).to.include({ status: 'fail', detailCode: 'earlier_key' });
    expect(of({ ...secret(key, 'a'), about: 'b' }).status).to.equal('fail');
  });
});

describe('the posture', () => {
  it('reports the declaration of the operator for a control that is not evaluated', () => {
    const declared = { tls_terminated: 'The load balancer terminates TLS 1.3.' };
    const found = postureOf([], new Date(), declared).controls.find(({ key }) => key === 'tls_terminated')!;
    expect(found).to.include({
      ...{ status: 'not_evaluated', detailCode: 'declared_not_evaluated', evidenceHash: null },
      declared: declared.tls_terminated,
    });
  });

  const now = new Date('2026-06-01T00:00:00Z');
  const passed = (key: string): KnownControl => ({
    key,
    status: 'pass',
    detailCode: 'ok',
    evidenceHash: 'a'.repeat(64),
    evaluatedAt: now,
  });

  it('is unknown if a control was never evaluated, and passes only if all controls pass', () => {
    expect(postureOf([], now).overall).to.equal('unknown');
    expect(postureOf(controlKeys.map(passed), now).overall).to.equal('pass');
    expect(postureOf(controlKeys.slice(1).map(passed), now).overall).to.equal('unknown');
  });

  it('is unknown with a stale control, and fails with a failed control', () => {
    const [first, ...rest] = controlKeys.map(passed);
    const stale = { ...first!, evaluatedAt: new Date('2026-01-01T00:00:00Z') };
    expect(postureOf([stale, ...rest], now).overall).to.equal('unknown');
    expect(postureOf([{ ...stale, status: 'fail' }, ...rest], now).overall).to.equal('fail');
  });
});

describe('the deployment file', () => {
  const read = (content: object) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-deployment-'));
    try {
      writeFileSync(join(folder, 'deployment.json'), JSON.stringify(content));
      return readDeployment(join(folder, 'deployment.json'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const region = {
    key: 'eu',
    name: 'Frankfurt',
    jurisdiction: 'DE',
    residency: 'pinned',
    status: 'available',
    services: ['api'],
  };

  it('states regions, and refuses limits, unknown members and repeated regions (I-206)', () => {
    expect(readDeployment(undefined).regions.map(({ key }) => key)).to.deep.equal(['local']);
    expect(read({ regions: [region], service_classes: {} }).regions[0]!.jurisdiction).to.equal('DE');
    expect(() => read({ regions: [region, region], service_classes: {} })).to.throw('twice');
    const limits = { standard: { name: 'S', support: null, slo: {}, limits: { requests: 1 } } };
    expect(() => read({ regions: [region], service_classes: limits })).to.throw('not valid');
    const declarations = { encryption_at_rest: 'LUKS' };
    expect(read({ regions: [region], service_classes: {}, declarations }).declarations).to.deep.equal(
      declarations,
    );
    const evaluated = { audit_log_intact: 'Yes' };
    expect(() => read({ regions: [region], service_classes: {}, declarations: evaluated })).to.throw(
      'not valid',
    );
  });
});
