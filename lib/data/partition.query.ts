import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** A partition that is gone, as one dataset that had rows in it sees it. */
export type DroppedPartition = {
  partition: string;
  /** The days of observation that it held: from the first, up to and without the end. */
  firstDay: string;
  endDay: string;
  datasetId: number;
  /** Uid of the workspace that let it go. */
  workspace: string;
};

/** Makes the partitions of the years to come. The em has the worker's role. Returns the names of those that are new. */
export async function addPartitions(em: Em, yearsAhead: number): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from add_partitions(${yearsAhead}::integer) name`.execute(em.getKysely());
  return rows.map(({ name }) => name);
}

/**
 * Drops the partitions of prices that are older than every dataset with rows in them wants. One dataset that keeps
 * everything, which is the default, keeps its partitions for all.
 */
export async function dropUnwantedPartitions(em: Em): Promise<DroppedPartition[]> {
  const { rows } = await sql<DroppedPartition>`
    select partition, first_day::text as "firstDay", end_day::text as "endDay", dataset_id as "datasetId",
      workspace_uid as workspace
    from drop_unwanted_partitions()
  `.execute(em.getKysely());
  return rows;
}

/** Observations that a dataset has let go, and that are gone. */
export type DroppedObservations = {
  datasetId: number;
  /** Uid of the workspace that let them go. */
  workspace: string;
  /** The first day that is kept. */
  before: string;
  rows: number;
};

/**
 * Deletes what is older than datasets want of what lies in no partition: corporate actions, fundamentals, economics and
 * company metrics. Whole calendar years go at a time. The em has the worker's role.
 */
export async function dropUnwantedObservations(em: Em): Promise<DroppedObservations[]> {
  const { rows } = await sql<DroppedObservations>`
    select dataset_id as "datasetId", workspace_uid as workspace, before::text as before, rows::float8 as rows
    from drop_unwanted_observations()
  `.execute(em.getKysely());
  return rows;
}
