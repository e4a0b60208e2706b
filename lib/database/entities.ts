import { entities as actions } from '#lib/actions/entities.ts';
import { entities as agents } from '#lib/agents/entities.ts';
import { entities as commercial } from '#lib/commercial/entities.ts';
import { entities as data } from '#lib/data/entities.ts';
import { entities as events } from '#lib/events/entities.ts';
import { entities as governance } from '#lib/governance/entities.ts';
import { entities as investment } from '#lib/investment/entities.ts';
import { entities as modeling } from '#lib/modeling/entities.ts';
import { entities as pipeline } from '#lib/pipeline/entities.ts';
import { entities as planning } from '#lib/planning/entities.ts';
import { entities as quant } from '#lib/quant/entities.ts';
import { entities as registry } from '#lib/registry/entities.ts';
import { entities as workflows } from '#lib/workflows/entities.ts';
import { entities as workspace } from '#lib/workspace/entities.ts';

/** All entities of Assay, as its folders list them. */
export const entities = [
  ...actions,
  ...agents,
  ...commercial,
  ...data,
  ...events,
  ...governance,
  ...investment,
  ...modeling,
  ...pipeline,
  ...planning,
  ...quant,
  ...registry,
  ...workflows,
  ...workspace,
];
