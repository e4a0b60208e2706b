import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** A partition that was dropped, reported once for each dataset that had rows in it. */
export type DroppedPartition = {
  partition: string;
  /** The first observed day of the partition. `endDay` is its exclusive end. */
  firstDay: string;
  endDay: string;
  datasetId: number;
  /** Uid of the workspace whose retention allowed the partition to be dropped. */
  workspace: string;
};

/**
 * Creates the partitions of the coming years. `em` must have the worker role. Returns the names of new
 * partitions.
 */
export async function addPartitions(em: Em, yearsAhead: number): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from add_partitions(${yearsAhead}::integer) name`.execute(em.getKysely());
  return rows.map(({ name }) => name);
}

/**
 * Drops price partitions that are older than the retention of every dataset with rows in them. A dataset without a
 * retention keeps everything, so a partition with rows of such a dataset is never dropped.
 */
export async function dropUnwantedPartitions(em: Em): Promise<DroppedPartition[]> {
  const { rows } = await sql<DroppedPartition>`
    select partition, first_day::text as "firstDay", end_day::text as "endDay", dataset_id as "datasetId",
      workspace_uid as workspace
    from drop_unwanted_partitions()
  `.execute(em.getKysely());
  return rows;
}

/** Observations deleted by the retention of a dataset. */
export type DroppedObservations = {
  datasetId: number;
  /** Uid of the workspace whose retention caused the deletion. */
  workspace: string;
  /** The first day whose observations were kept. */
  before: string;
  rows: number;
};

/**
 * Deletes observations that are older than the retention of their dataset, in tables without partitions:
 * corporate actions, fundamentals, economics and company metrics. Deletes whole calendar years. `em` must
 * have the worker role.
 */
export async function dropUnwantedObservations(em: Em): Promise<DroppedObservations[]> {
  const { rows } = await sql<DroppedObservations>`
    select dataset_id as "datasetId", workspace_uid as workspace, before::text as before, rows::float8 as rows
    from drop_unwanted_observations()
  `.execute(em.getKysely());
  return rows;
}
