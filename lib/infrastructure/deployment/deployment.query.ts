import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { createAjv } from '#lib/core/ajv.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { Closed, Line, Nullable } from '#lib/core/schema.ts';
import { declarable, type Declarations } from '../posture/controls.ts';
import { serviceClasses } from '#lib/database/base.ts';

const Word = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' });
const Target = Nullable(Type.Integer({ minimum: 0, maximum: 100_000_000 }));

/**
 * The deployment file: regions, the targets and support of service classes, and statements about controls that nothing
 * inside the deployment can evaluate. The file never states limits.
 */
export const DeploymentFile = Closed({
  regions: Type.Array(
    Closed({
      key: Word,
      name: Line(200, 'Name.', 'Frankfurt'),
      jurisdiction: Nullable(Type.String({ pattern: '^[A-Z]{2}$' })),
      residency: Type.Enum(['pinned', 'replicated']),
      status: Type.Enum(['available', 'degraded', 'unavailable']),
      services: Type.Array(Word, { maxItems: 50, uniqueItems: true }),
    }),
    { minItems: 1, maxItems: 50 },
  ),
  service_classes: Closed(
    Object.fromEntries(
      serviceClasses.map((key) => [
        key,
        Type.Optional(
          Closed({
            name: Line(200, 'Name.', 'Standard'),
            support: Nullable(Line(500, 'Support.', 'Business days')),
            slo: Closed({
              availability_bps: Target,
              p95_ms: Target,
              rpo_minutes: Target,
              rto_minutes: Target,
            }),
          }),
        ),
      ]),
    ),
  ),
  declarations: Type.Optional(
    Closed(
      Object.fromEntries(
        declarable.map((key) => [
          key,
          Type.Optional(Line(200, 'Statement.', 'The load balancer terminates TLS 1.3.')),
        ]),
      ),
    ),
  ),
});

type File = Static<typeof DeploymentFile>;
export type ServiceClassTerms = {
  name: string;
  support: string | null;
  slo: Record<'availability_bps' | 'p95_ms' | 'rpo_minutes' | 'rto_minutes', number | null>;
};
export type Deployment = {
  regions: File['regions'];
  service_classes: Partial<Record<string, ServiceClassTerms>>;
  /** The statements of the file about controls that nothing inside the deployment can evaluate. */
  declarations: Declarations;
  hash: string;
};

/** The deployment without a file: one region, and no promised targets. */
const usual: File = {
  regions: [
    {
      key: 'local',
      name: 'Local',
      jurisdiction: null,
      residency: 'pinned',
      status: 'available',
      services: ['api', 'workers', 'database'],
    },
  ],
  service_classes: {},
};

/**
 * Reads the deployment file, or returns the deployment without a file. Throws an `Error` with every fault of a file
 * that does not match its schema or names a region twice.
 */
export function readDeployment(path: string | undefined): Deployment {
  const file: unknown = path === undefined ? usual : JSON.parse(readFileSync(path, 'utf8'));
  const isValid = createAjv().compile<File>(DeploymentFile);
  if (!isValid(file)) {
    const faults = (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    throw new Error(`the deployment file ${path} is not valid: ${faults.join('; ')}`);
  }
  if (new Set(file.regions.map(({ key }) => key)).size < file.regions.length)
    throw new Error(`the deployment file ${path} names a region twice`);
  const classes = file.service_classes as Deployment['service_classes'];
  const declarations: Declarations = file.declarations ?? {};
  return { regions: file.regions, service_classes: classes, declarations, hash: canonicalHash(file) };
}
