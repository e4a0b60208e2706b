import { createAjv } from '#lib/core/ajv.ts';

const text = { type: 'string', minLength: 1 } as const;
const uri = { type: 'string', format: 'uri' } as const;
const closedFacet = (required: readonly string[], properties: object, schema: string) => ({
  type: 'object',
  required: ['_producer', '_schemaURL', ...required],
  properties: { _producer: uri, _schemaURL: { ...uri, pattern: schema }, ...properties },
  additionalProperties: false,
});
const of = (version: string, name: string) =>
  `^https://openlineage\\.io/spec/facets/${version}/${name}\\.json#/`;
// The class of characters that Marquez accepts in names and namespaces.
const name = { type: 'string', pattern: '^[a-zA-Z:;=/0-9_\\-.@+]{1,1024}$' } as const;
const identified = { namespace: name, name };
const run = {
  type: 'object',
  required: ['runId'],
  properties: {
    runId: {
      type: 'string',
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    },
  },
  additionalProperties: false,
};
const job = {
  type: 'object',
  required: ['namespace', 'name'],
  properties: identified,
  additionalProperties: false,
};
const dataset = {
  type: 'object',
  required: ['namespace', 'name'],
  properties: {
    ...identified,
    facets: {
      type: 'object',
      properties: {
        version: closedFacet(
          ['datasetVersion'],
          { datasetVersion: text },
          of('1-0-1', 'DatasetVersionDatasetFacet'),
        ),
        datasetType: closedFacet(
          ['datasetType'],
          { datasetType: text, subType: text },
          of('1-0-1', 'DatasetTypeDatasetFacet'),
        ),
        schema: closedFacet(
          ['fields'],
          {
            fields: {
              type: 'array',
              items: { type: 'object', required: ['name'], properties: { name: text, type: text } },
            },
          },
          of('1-2-0', 'SchemaDatasetFacet'),
        ),
        columnLineage: closedFacet(
          ['fields'],
          {
            fields: {
              type: 'object',
              additionalProperties: {
                type: 'object',
                required: ['inputFields'],
                properties: {
                  inputFields: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['namespace', 'name', 'field'],
                      properties: {
                        ...identified,
                        field: text,
                        transformations: {
                          type: 'array',
                          items: {
                            type: 'object',
                            required: ['type'],
                            properties: {
                              type: text,
                              subtype: text,
                              description: text,
                              masking: { type: 'boolean' },
                            },
                          },
                        },
                      },
                      additionalProperties: false,
                    },
                  },
                },
                additionalProperties: false,
              },
            },
          },
          of('1-2-0', 'ColumnLineageDatasetFacet'),
        ),
        assay_seal: closedFacet(['uid', 'result_hash'], { uid: text, result_hash: text }, '^urn:svc:assay:'),
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

/**
 * Validates an OpenLineage 2-0-2 run event with the facets that Assay writes. The schema states the required members and
 * types of the specification, and refuses every other member.
 */
export const isRunEvent = createAjv().compile({
  type: 'object',
  required: ['eventTime', 'producer', 'schemaURL', 'eventType', 'run', 'job', 'inputs', 'outputs'],
  properties: {
    eventTime: { type: 'string', format: 'date-time' },
    producer: uri,
    schemaURL: {
      ...uri,
      pattern: '^https://openlineage\\.io/spec/2-0-2/OpenLineage\\.json#/\\$defs/RunEvent$',
    },
    eventType: { enum: ['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER'] },
    run: {
      ...run,
      properties: {
        ...run.properties,
        facets: {
          type: 'object',
          properties: {
            parent: closedFacet(['run', 'job'], { run, job }, of('1-2-0', 'ParentRunFacet')),
            errorMessage: closedFacet(
              ['message', 'programmingLanguage'],
              { message: text, programmingLanguage: text },
              of('1-0-1', 'ErrorMessageRunFacet'),
            ),
          },
          additionalProperties: false,
        },
      },
    },
    job: {
      ...job,
      properties: {
        ...identified,
        facets: {
          type: 'object',
          properties: {
            jobType: closedFacet(
              ['processingType', 'integration'],
              { processingType: text, integration: text, jobType: text },
              of('2-0-4', 'JobTypeJobFacet'),
            ),
          },
          additionalProperties: false,
        },
      },
    },
    inputs: { type: 'array', items: dataset },
    outputs: { type: 'array', items: dataset },
  },
  additionalProperties: false,
});
