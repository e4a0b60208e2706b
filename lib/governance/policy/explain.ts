import type { EvaluationError, Leaf, Node } from './compile.ts';
import type { KnownInput } from './fields.ts';

/**
 * Finds the atoms that keep a condition from having the wanted outcome: the opposite outcome of any of them
 * would have brought the condition nearer. Calls `found` with the outcome that the atom should have had.
 * Atoms with an error are left out.
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

/** Finds the atoms whose errors make a condition an error. */
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
