import { canonicalJson } from '#lib/core/seal.ts';
import { isActivity, ordered, type Graph } from './graph.ts';

/**
 * Returns a graph as a PROV-JSON document (W3C member submission, 24 April 2013) in RFC 8785 form. Entities, activities
 * and relations are the nodes and edges of the graph. Agents are applications, never persons.
 */
export function provOf(graph: Graph): string {
  const { nodes, edges } = ordered(graph);
  const entity: Record<string, object> = {};
  const activity: Record<string, object> = {};
  const agent: Record<string, object> = {};
  const associated: object[] = [];
  for (const node of nodes) {
    if (!isActivity(node)) {
      entity[name(node.id)] = {
        'prov:type': `assay:${node.type}`,
        'assay:kind': node.kind,
        'assay:version': node.version,
      };
      continue;
    }
    activity[name(node.id)] = {
      'prov:type': `assay:${node.type}`,
      'prov:startTime': node.startedAt,
      ...(node.endedAt === null ? {} : { 'prov:endTime': node.endedAt }),
      'assay:kind': node.kind,
      'assay:state': node.state,
    };
    if (node.application === null) continue;
    agent[name(node.application)] = { 'prov:type': 'prov:SoftwareAgent' };
    associated.push({ 'prov:activity': name(node.id), 'prov:agent': name(node.application) });
  }
  const relation = (which: 'used' | 'generated') => edges.filter((edge) => edge.relation === which);
  const used = relation('used');
  const generated = relation('generated');
  const inputs = Map.groupBy(used, (edge) => edge.activity);
  const derived = generated.flatMap((made) =>
    (inputs.get(made.activity) ?? []).map((read) => ({
      'prov:generatedEntity': name(made.other),
      'prov:usedEntity': name(read.other),
      'prov:activity': name(made.activity),
    })),
  );
  return canonicalJson({
    prefix: { assay: 'urn:svc:assay:', prov: 'http://www.w3.org/ns/prov#' },
    entity,
    activity,
    agent,
    used: numbered(
      'u',
      used.map((edge) => ({ 'prov:activity': name(edge.activity), 'prov:entity': name(edge.other) })),
    ),
    wasGeneratedBy: numbered(
      'g',
      generated.map((edge) => ({ 'prov:entity': name(edge.other), 'prov:activity': name(edge.activity) })),
    ),
    wasDerivedFrom: numbered('d', derived),
    wasAssociatedWith: numbered('a', associated),
  });
}

function name(id: string): string {
  return `assay:${id}`;
}

/** Names each relation by its position, because every relation in PROV-JSON needs an identifier. */
function numbered(letter: string, relations: readonly object[]): Record<string, object> {
  return Object.fromEntries(relations.map((each, at) => [`_:${letter}${at + 1}`, each]));
}
