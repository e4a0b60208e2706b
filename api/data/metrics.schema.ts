import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Uid } from '#lib/core/schema.ts';
import { metricKinds, metricUnits } from '#lib/data/metric.ts';
import { periodFrequencies } from '#lib/data/period.ts';
import { Day, Decimal, KnownAtBasis } from './wire.ts';

export const Frequency = Type.Enum([...periodFrequencies], { description: 'The length of the periods.' });

export const CompanyId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The company.',
  examples: [1],
});

const ofCompany = Nullable(CompanyId, 'The company; null of what is of the workspace.');
const UNDEFINED = 'Null where the workspace has no such metric.';
const dataset = Uid(prefixes.dataset, 'The dataset that answers.');

export const MetricSeriesResource = Closed(
  {
    key: Type.String({ maxLength: 100, description: 'What the metric is called.', examples: ['revenue'] }),
    company_id: ofCompany,
    frequency: Frequency,
    unit: Nullable(Type.Enum([...metricUnits]), `Money is in the currency beside each value. ${UNDEFINED}`),
    kind: Nullable(
      Type.Enum([...metricKinds]),
      `Whether it adds up over a period, or stands at its end. ${UNDEFINED}`,
    ),
    signed: Nullable(Type.Boolean(), `Whether a value below 0 has a meaning. ${UNDEFINED}`),
    description: Nullable(
      Type.String({ maxLength: 1_000, examples: ['Sales of the period.'] }),
      `What it tells. ${UNDEFINED}`,
    ),
    dataset,
    dataset_owner: Type.Enum(['workspace', 'platform'], {
      description: "Whose it is. A workspace's own dataset comes before the platform's.",
    }),
  },
  { title: 'MetricSeries', description: 'A metric of a company in periods of one length.' },
);

export const MetricObservationResource = Closed(
  {
    company_id: ofCompany,
    frequency: Frequency,
    period: Type.String({ maxLength: 10, description: 'The period by its name.', examples: ['2024-Q1'] }),
    observed_on: Day('The last day of the period.'),
    value: Decimal('The value as it was imported.', '400.5'),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
      'ISO 4217 code of the currency; null of what is not money.',
    ),
    known_at: InstantOf('When it was known.'),
    known_at_basis: KnownAtBasis,
    dataset,
  },
  { title: 'MetricObservation', description: 'What was known of a metric and a period.' },
);
