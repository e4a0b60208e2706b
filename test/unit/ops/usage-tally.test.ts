import { expect } from 'chai';
import fc from 'fast-check';
import { createUsageTally, type UsageTotal } from '#lib/ops/usage-tally.ts';

const HOUR_MS = 3_600_000;
const sandbox = { workspace: 'wsp_1', environment: 'sandbox' } as const;
const production = { workspace: 'wsp_1', environment: 'production' } as const;

/** Applies writes as the database does: a total replaces a smaller total with the same key. */
function store() {
  const rows = new Map<string, number>();
  return {
    rows,
    write(totals: readonly UsageTotal[]) {
      for (const { workspace, environment, meter, hour, value } of totals) {
        const key = [workspace, environment, meter, hour].join(' ');
        rows.set(key, Math.max(rows.get(key) ?? 0, Number(value)));
      }
    },
  };
}

const silent = { warn: () => undefined };

describe('the tally of usage', () => {
  it('writes the totals of each tenant, meter and hour, and nothing that has not changed', async () => {
    const written: (readonly UsageTotal[])[] = [];
    let at = Date.UTC(2026, 0, 1, 10, 59, 59);
    const tally = createUsageTally({
      write: async (totals) => written.push(totals),
      log: silent,
      now: () => at,
    });
    await tally.flush();
    expect(written).to.deep.equal([]);
    tally.add(sandbox, 'api.requests', 1);
    tally.add(sandbox, 'api.requests', 1);
    tally.add(production, 'compute.cpu_seconds', 1_500_001);
    tally.add(production, 'compute.cpu_seconds', 0);
    at += 1_000;
    tally.add(sandbox, 'api.requests', 1);
    await tally.flush();
    await tally.flush();
    const [ten, eleven] = ['2026-01-01T10:00:00.000Z', '2026-01-01T11:00:00.000Z'];
    expect(written).to.deep.equal([
      [
        { ...sandbox, meter: 'api.requests', hour: ten, value: '2' },
        { ...production, meter: 'compute.cpu_seconds', hour: ten, value: '1.500001' },
        { ...sandbox, meter: 'api.requests', hour: eleven, value: '1' },
      ],
    ]);
  });

  it('counts every request once, although writes fail before or after they took effect', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('count', 'next hour', 'flush', 'lost', 'unanswered'), { maxLength: 60 }),
        async (steps) => {
          const database = store();
          let [at, counted] = [Date.UTC(2026, 0, 1), 0];
          let fault: 'lost' | 'unanswered' | undefined;
          const tally = createUsageTally({
            async write(totals) {
              if (fault !== 'lost') database.write(totals);
              if (fault) throw new Error(fault);
            },
            log: silent,
            now: () => at,
          });
          for (const step of steps) {
            if (step === 'count') {
              tally.add(sandbox, 'api.requests', 1);
              counted += 1;
            } else if (step === 'next hour') at += HOUR_MS;
            else {
              fault = step === 'flush' ? undefined : step;
              await tally.flush();
            }
          }
          fault = undefined;
          await tally.close();
          expect([...database.rows.values()].reduce((sum, each) => sum + each, 0)).to.equal(counted);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps counts that arrive during a write for the next write', async () => {
    const database = store();
    let open = () => {};
    const tally = createUsageTally({
      write: (totals) => new Promise<void>((resolve) => (open = () => (database.write(totals), resolve()))),
      log: silent,
      now: () => Date.UTC(2026, 0, 1),
    });
    tally.add(sandbox, 'api.requests', 1);
    const writing = tally.flush();
    tally.add(sandbox, 'api.requests', 1);
    open();
    await writing;
    const again = tally.flush();
    open();
    await again;
    expect([...database.rows.values()]).to.deep.equal([2]);
  });
});
