import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readDeployment } from '#lib/infrastructure/deployment/deployment.query.ts';
import { controlKeys, postureOf, type KnownControl } from '#lib/infrastructure/posture/controls.ts';
import { bucketsOf } from '#lib/infrastructure/usage/meters.ts';
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
    const records = [
      { uid: 'a', at: '2026-01-01T10:00:00.000001Z', value: '0.1' },
      { uid: 'b', at: '2026-01-01T23:59:59.999999Z', value: '0.2' },
      { uid: 'c', at: '2026-01-02T00:00:00.000000Z', value: '5' },
    ];
    const source = { table: 'run', records: 2, hash: sha256('a:0.1,b:0.2') };
    const bucket = { from: day('2026-01-01'), to: day('2026-01-02'), value: '0.3', source };
    expect(reconcile('compute.run_seconds', [bucket], records)).to.deep.equal([]);
    const wrong = reconcile('compute.run_seconds', [{ ...bucket, value: '0.30000000000000004' }], records);
    expect(wrong.map(({ member, counted }) => [member, counted])).to.deep.equal([['value', '0.3']]);
    const missing = reconcile('compute.run_seconds', [bucket], records.slice(1));
    expect(missing.map(({ member }) => member)).to.deep.equal(['value', 'records', 'hash']);
    expect(reconcile('api.requests', [{ ...bucket, value: null, source: null }], null)).to.deep.equal([]);
  });
});

describe('the posture', () => {
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

  it('states regions, and refuses limits, unknown members and repeated regions', () => {
    expect(readDeployment(undefined).regions.map(({ key }) => key)).to.deep.equal(['local']);
    expect(read({ regions: [region], service_classes: {} }).regions[0]!.jurisdiction).to.equal('DE');
    expect(() => read({ regions: [region, region], service_classes: {} })).to.throw('twice');
    const limits = { standard: { name: 'S', support: null, slo: {}, limits: { requests: 1 } } };
    expect(() => read({ regions: [region], service_classes: limits })).to.throw('not valid');
  });
});
