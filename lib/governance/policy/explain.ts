import type { EvaluationError, Leaf, Node } from './compile.ts';
import type { KnownInput } from './fields.ts';

/**
 * Finds the atoms that prevent a condition from having the wanted outcome. Calls `found` for each atom, with the
 * outcome that the atom needs. Atoms with an error are left out.
 */
export function collectFailedAtoms(
  node: Node,
  input: KnownInput,
  wanted: boolean,
  found: (leaf: Leaf, wanted: boolean) => void,
): void {
  if (node.test(input) !== !wanted) return;
  if (node.kind === 'atom') return found(node, wanted);
  if (node.kind === 'broken') return;
  const ofMembers = node.kind === 'not' ? !wanted : wanted;
  for (const member of node.members) collectFailedAtoms(member, input, ofMembers, found);
}

/** Finds the atoms whose errors cause the error of a condition. */
export function collectErrorAtoms(
  node: Node,
  input: KnownInput,
  found: (path: string, code: EvaluationError) => void,
): void {
  const truth = node.test(input);
  if (typeof truth === 'boolean') return;
  if (node.kind === 'atom' || node.kind === 'broken') return found(node.path, truth);
  for (const member of node.members) collectErrorAtoms(member, input, found);
}
