import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Day, Decimal, Closed, InstantOf, Nullable, Uid } from '#lib/core/schema.ts';
import { metricKinds, metricUnits } from '#lib/data/metric.ts';
import { periodFrequencies } from '#lib/data/period.ts';
import { KnownAtBasis } from './wire.ts';

export const Frequency = Type.Enum([...periodFrequencies], { description: 'The length of a period.' });

export const CompanyId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The company.',
  examples: [1],
});

const ofCompany = Nullable(CompanyId, 'The company; null for a metric of the workspace itself.');
const UNDEFINED = 'Null if the workspace has not defined the metric.';
const dataset = Uid(prefixes.dataset, 'The dataset that the metric is read from.');

export const MetricSeriesResource = Closed(
  {
    key: Type.String({ maxLength: 100, description: 'The key of the metric.', examples: ['revenue'] }),
    company_id: ofCompany,
    frequency: Frequency,
    unit: Nullable(
      Type.Enum([...metricUnits]),
      `The unit of the values. Each money value states its currency. ${UNDEFINED}`,
    ),
    kind: Nullable(
      Type.Enum([...metricKinds]),
      `Whether the metric accumulates over a period or is measured at its end. ${UNDEFINED}`,
    ),
    signed: Nullable(Type.Boolean(), `Whether values below 0 are meaningful. ${UNDEFINED}`),
    description: Nullable(
      Type.String({ maxLength: 1_000, examples: ['Sales of the period.'] }),
      `The meaning of the metric. ${UNDEFINED}`,
    ),
    dataset,
    dataset_owner: Type.Enum(['workspace', 'platform'], {
      description:
        'The owner of the dataset. A dataset of the workspace takes precedence over one of the platform.',
    }),
  },
  { title: 'MetricSeries', description: 'A metric of a company over periods of one length.' },
);

export const MetricObservationResource = Closed(
  {
    company_id: ofCompany,
    frequency: Frequency,
    period: Type.String({ maxLength: 10, description: 'The name of the period.', examples: ['2024-Q1'] }),
    observed_on: Day('The last day of the period.'),
    value: Decimal('The value, exactly as imported.', '400.5'),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
      'ISO 4217 code of the currency; null if the metric is not a money amount.',
    ),
    known_at: InstantOf('When the value became known.'),
    known_at_basis: KnownAtBasis,
    dataset,
  },
  { title: 'MetricObservation', description: 'A known value of a metric for a period.' },
);
