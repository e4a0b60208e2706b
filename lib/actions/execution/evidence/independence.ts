/** Whom a trade confirmation comes from: the system that sent it, and the broker that executed. */
export type ConfirmationSource = { sourceSystem: string; executingBroker: string };
/** Whom a custody observation comes from. */
export type CustodySource = { sourceSystem: string; custodian: string };

/** Whether custody is seen by another than who executed or confirmed; names are compared whatever their case. */
export function isIndependent(custody: CustodySource, confirmation: ConfirmationSource): boolean {
  const names = [custody.sourceSystem, custody.custodian].map((name) => name.toLowerCase());
  const others = new Set(
    [confirmation.sourceSystem, confirmation.executingBroker].map((name) => name.toLowerCase()),
  );
  return !names.some((name) => others.has(name));
}
