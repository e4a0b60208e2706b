import { Option, type Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import {
  bucketsOf,
  granularities,
  meterKeys,
  type Granularity,
  type Meter,
} from '#lib/infrastructure/usage/meters.ts';
import { reconcile } from '#lib/infrastructure/usage/reconcile.ts';
import { readUsageRecords } from '#lib/infrastructure/usage/usage-records.query.ts';
import { readUsage } from '#lib/infrastructure/usage/usage.query.ts';
import { askIn, type CommandPlace } from '../shell/ask.ts';
import { parseInstant } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';

type ReconcileOptions = OutputOptions &
  CommandPlace & { meter: Meter; from: string; to: string; granularity: Granularity };

/** Registers the command that recounts usage. */
export function register(program: Command): void {
  const group = program.command('usage');
  inPlaceOf(
    group.command('reconcile'),
    'recount a meter from individual records; exits with status 1 if the counts differ',
  )
    .addOption(new Option('--meter <meter>', 'the meter').choices(meterKeys).makeOptionMandatory())
    .requiredOption('--from <instant>', 'the start of the period')
    .requiredOption('--to <instant>', 'the end of the period, exclusive')
    .addOption(
      new Option('--granularity <length>', 'the length of a bucket').choices(granularities).default('day'),
    )
    .action(recount);
}

async function recount(options: ReconcileOptions): Promise<void> {
  const { meter, granularity } = options;
  const period = { from: parseInstant('--from', options.from), to: parseInstant('--to', options.to) };
  // A closed month is the sum of its stored days, so the reconciliation recounts the days.
  const whole = bucketsOf(period.from, period.to, granularity);
  const divided = whole.ok && granularity === 'month' ? bucketsOf(period.from, period.to, 'day') : whole;
  if (!divided.ok) throw new Refusal('invalid_period', `--${divided.pointer.slice(1)} ${divided.message}`);
  const buckets = await askIn(options, readUsage, meter, divided.buckets);
  const records = await askIn(options, readUsageRecords, meter, period);
  const differences = reconcile(meter, buckets, records);
  const late = buckets.reduce((sum, bucket) => sum + bucket.late, 0);
  print(
    {
      meter,
      buckets: buckets.length,
      closed: buckets.filter(({ isClosed }) => isClosed).length,
      records: records.reduce((sum, each) => sum + each.records, 0),
      late,
      differences: differences.length,
    },
    options,
  );
  for (const { from, member, stated, counted } of differences)
    process.stderr.write(`${from} ${member}: stated ${stated}, counted ${counted}\n`);
  if (differences.length > 0) process.exitCode = 1;
}
