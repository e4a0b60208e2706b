import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, readers, type Config, type Part } from '#lib/core/config.ts';

const ROOT = 'docker/kubernetes';
const NAME = 'app.kubernetes.io/name';
const COMPONENT = 'app.kubernetes.io/component';
const parts: Record<string, Part> = {
  api: 'api',
  console: 'console',
  'worker-numerics': 'numerics',
  'worker-io': 'io',
  scheduler: 'scheduler',
  migrate: 'migrate',
};
/**
 * Variables that the manifests leave out: those of the image, of the embedded database, of PM2, of a heartbeat that the
 * probes replace, and the file of a deployment, which needs a volume of its own.
 */
const left = new Set<keyof Config>([
  ...(['HOST', 'OPS_HOST', 'CONSOLE', 'ASSAY_HOME', 'NODE_APP_INSTANCE', 'NUMERICS_WORKERS'] as const),
  ...(['HEARTBEAT_FILE', 'DEPLOYMENT_FILE', 'VALIDATE_RESPONSES'] as const),
]);

type Labels = Record<string, string>;
type Variable = {
  name: string;
  value?: string;
  valueFrom?: Partial<Record<'secretKeyRef' | 'configMapKeyRef', { name: string; key: string }>>;
};
type Probe = { httpGet: { path: string; port: string } };
type Container = {
  image: string;
  command: string[];
  env: Variable[];
  ports?: { name: string; containerPort: number }[];
  resources: { requests: Labels; limits: Labels };
  securityContext: object;
} & Partial<Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe>>;
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // The manifests have many forms; the tests read the members that they check.
  spec: any;
};
type Kustomization = {
  resources: string[];
  labels?: { pairs: Labels }[];
  patches?: { path: string; target: { kind: string; name?: string } }[];
  replicas?: { name: string; count: number }[];
};

const readText = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const manifestsIn = (folder: string): Manifest[] =>
  kustomizationOf(folder)
    .resources.filter((file) => file.endsWith('.yaml'))
    .flatMap((file) =>
      parseAllDocuments(readText(`${folder}/${file}`)).map((each) => each.toJS() as Manifest),
    );
const kustomizationOf = (folder: string) => parse(readText(`${folder}/kustomization.yaml`)) as Kustomization;
const overlays = readdirSync(`${ROOT}/overlays`).map((name) => `overlays/${name}`);

describe('docker/kubernetes', () => {
  const base = manifestsIn('base');
  const workloads = base.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  const containerOf = ({ spec }: Manifest) => spec.template.spec.containers[0] as Container;
  const named = (kind: string, name: string) =>
    base.find((each) => each.kind === kind && each.metadata.name === name);

  it('lists every manifest of a folder in its kustomization', () => {
    for (const folder of ['base', ...overlays]) {
      const { resources, patches = [] } = kustomizationOf(folder);
      const files = readdirSync(path.join(ROOT, folder)).filter((file) => file !== 'kustomization.yaml');
      const listed = [
        ...resources.filter((file) => file.endsWith('.yaml')),
        ...patches.map((each) => each.path),
      ];
      expect(listed, folder).to.have.members(files);
    }
  });

  it('has manifests that the published schemas of Kubernetes and KEDA allow', async () => {
    for (const manifest of ['base', ...overlays].flatMap(manifestsIn)) {
      const { apiVersion, kind, metadata } = manifest;
      const schemas = apiVersion.startsWith('keda.sh/') ? '@kubernetes-models/keda' : 'kubernetes-models';
      const Model = (await import(`${schemas}/${apiVersion}/${kind}`))[kind];
      expect(() => new Model(manifest).validate(), `${kind} ${metadata.name}`).not.to.throw();
      expect(() => new Model({ ...manifest, spec: 'none' }).validate()).to.throw();
    }
  });

  it('runs exactly the parts of Assay', () => {
    expect(workloads.map(({ metadata }) => metadata.name)).to.have.members(Object.keys(parts));
  });

  it('gives each part exactly the variables that it reads', () => {
    for (const workload of workloads) {
      const { name } = workload.metadata;
      const given = containerOf(workload).env.map((each) => each.name);
      const wanted = (Object.keys(readers) as (keyof Config)[]).filter(
        (each) => readers[each].includes(parts[name]!) && !left.has(each),
      );
      expect(given, name).to.have.members(wanted);
    }
  });

  it('takes each secret from a Kubernetes secret, and no other variable', () => {
    for (const workload of workloads)
      for (const { name, value, valueFrom = {} } of containerOf(workload).env) {
        const isSecret = /PASSWORD$|SECRET$|_KEY$|^DATABASE_(DIRECT_)?URL$|^REDIS_URL$/.test(name);
        expect(valueFrom.secretKeyRef !== undefined, name).to.equal(isSecret);
        if (!isSecret) expect(valueFrom.configMapKeyRef?.key ?? value, name).to.be.a('string');
      }
  });

  it('gives each kind of part the database secret of its own role', () => {
    const stores = workloads.map((each) => [
      each.metadata.name,
      containerOf(each).env.find(({ name }) => name === 'DATABASE_URL')!.valueFrom!.secretKeyRef!.name,
    ]);
    expect(Object.fromEntries(stores)).to.deep.equal({
      api: 'assay-api',
      console: 'assay-console',
      'worker-numerics': 'assay-worker',
      'worker-io': 'assay-worker',
      scheduler: 'assay-worker',
      migrate: 'assay-owner',
    });
  });

  it('has environments that pass the check of the configuration', () => {
    for (const folder of overlays) {
      const literals = (parse(readText(`${folder}/kustomization.yaml`)) as any).configMapGenerator[0]
        .literals;
      const settings = Object.fromEntries((literals as string[]).map((line) => line.split(/=(.*)/s)));
      for (const workload of workloads) {
        const values = containerOf(workload).env.map(({ name, value }) => [name, value ?? settings[name]]);
        expect(() => readConfig(Object.fromEntries(values)), workload.metadata.name).not.to.throw();
      }
    }
  });

  it('starts files that exist, and probes routes on ports that the part listens on', () => {
    for (const workload of workloads) {
      const { command, ports = [], env, ...container } = containerOf(workload);
      readFileSync(command[1]!);
      if (workload.kind === 'Job') continue;
      const listens = new Set(
        env.filter(({ name }) => /(^|_)PORT$/.test(name)).map(({ value }) => Number(value)),
      );
      for (const { containerPort } of ports) expect([...listens], command[1]).to.include(containerPort);
      for (const [probe, route] of [
        ['startupProbe', '/healthz'],
        ['livenessProbe', '/healthz'],
        ['readinessProbe', '/readyz'],
      ] as const) {
        const { path: asked, port } = container[probe]!.httpGet;
        expect(asked, command[1]).to.equal(route);
        expect(ports.map(({ name }) => name)).to.include(port);
      }
    }
  });

  it('runs every container without privileges, on a read-only file system, with bounded memory', () => {
    for (const workload of workloads) {
      const { securityContext, resources, image } = containerOf(workload);
      const pod = workload.spec.template.spec;
      expect(image).to.equal('assay');
      expect(securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.securityContext).to.include({ runAsNonRoot: true, runAsUser: 1000 });
      expect(pod.automountServiceAccountToken).to.equal(false);
      expect(resources.limits['memory']).to.match(/^\d+(Mi|Gi)$/);
      expect(resources.requests).to.have.all.keys('cpu', 'memory');
    }
  });

  it('selects pods by labels that they have, and ports by names that exist', () => {
    const [{ pairs }] = kustomizationOf('base').labels as [{ pairs: Labels }];
    expect(pairs).to.deep.equal({ [NAME]: 'assay' });
    for (const each of base.filter(({ kind }) => kind === 'Deployment')) {
      const own = { [NAME]: 'assay', [COMPONENT]: each.metadata.name };
      expect(each.spec.selector.matchLabels).to.deep.equal(own);
      expect(each.spec.template.metadata.labels).to.deep.equal(own);
    }
    for (const { spec, metadata } of base.filter(({ kind }) => kind === 'Service')) {
      const deployment = named('Deployment', spec.selector[COMPONENT])!;
      const ports = containerOf(deployment).ports!.map(({ name }) => name);
      for (const { targetPort } of spec.ports) expect(ports, metadata.name).to.include(targetPort);
    }
    for (const { spec, metadata } of base.filter(({ kind }) => kind === 'NetworkPolicy'))
      for (const { ports } of spec.ingress ?? [])
        for (const { port } of ports) expect(['http', 'ops'], metadata.name).to.include(port);
  });

  it('has overlays whose patches, replicas, budgets and scalers name parts that exist', () => {
    for (const folder of overlays) {
      const { patches = [], replicas = [] } = kustomizationOf(folder);
      for (const { target } of patches) {
        const pattern = new RegExp(`^${target.name ?? '.*'}$`);
        const hit = base.filter(({ kind, metadata }) => kind === target.kind && pattern.test(metadata.name));
        expect(hit, JSON.stringify(target)).not.to.deep.equal([]);
      }
      for (const { name } of replicas) expect(named('Deployment', name), name).not.to.equal(undefined);
      for (const { kind, metadata, spec } of manifestsIn(folder)) {
        if (kind === 'PodDisruptionBudget')
          expect(named('Deployment', spec.selector.matchLabels[COMPONENT]), metadata.name).not.to.equal(
            undefined,
          );
        if (kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject')
          expect(named('Deployment', spec.scaleTargetRef.name), metadata.name).not.to.equal(undefined);
      }
    }
  });

  it('scales workers by a metric that Assay reports', () => {
    const scaled = manifestsIn('overlays/ha').find(({ kind }) => kind === 'ScaledObject')!;
    const [metric] = /assay_\w+/.exec(scaled.spec.triggers[0].metadata.query)!;
    expect(readFileSync('docs/reference/metrics.md', 'utf8')).to.include(`\`${metric}\``);
  });

  it('uses only secrets and keys that the guide lists', () => {
    const guide = readFileSync('docs/operate/kubernetes.md', 'utf8');
    const all = ['base', ...overlays].flatMap(manifestsIn);
    const used = all.flatMap(({ spec }) => (spec?.template?.spec?.containers ?? []) as Container[]);
    for (const { valueFrom } of used.flatMap(({ env }) => env)) {
      const reference = valueFrom?.secretKeyRef;
      if (reference) expect(guide).to.match(new RegExp(`\\| \`${reference.name}\` .*\`${reference.key}\``));
    }
  });
});
