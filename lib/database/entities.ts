import { entities as access } from '#lib/access/entities.ts';
import { entities as actions } from '#lib/actions/entities.ts';
import { entities as agents } from '#lib/agents/entities.ts';
import { entities as commercial } from '#lib/commercial/entities.ts';
import { entities as data } from '#lib/data/entities.ts';
import { entities as events } from '#lib/events/entities.ts';
import { entities as forecasting } from '#lib/forecasting/entities.ts';
import { entities as governance } from '#lib/governance/entities.ts';
import { entities as investment } from '#lib/investment/entities.ts';
import { entities as ledger } from '#lib/ledger/entities.ts';
import { entities as models } from '#lib/models/entities.ts';
import { entities as pipeline } from '#lib/pipeline/entities.ts';
import { entities as research } from '#lib/research/entities.ts';
import { entities as workflows } from '#lib/workflows/entities.ts';

/** All entities of Assay, as its folders list them. */
export const entities = [
  ...access,
  ...actions,
  ...agents,
  ...commercial,
  ...data,
  ...events,
  ...forecasting,
  ...governance,
  ...investment,
  ...ledger,
  ...models,
  ...pipeline,
  ...research,
  ...workflows,
];
