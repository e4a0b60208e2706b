/** The origin of a trade confirmation: the system that sent it, and the broker that executed the orders. */
export type ConfirmationSource = { sourceSystem: string; executingBroker: string };
/** The origin of a custody observation. */
export type CustodySource = { sourceSystem: string; custodian: string };

/**
 * Whether the custody evidence comes from a party that neither executed nor confirmed the trade. Names are
 * compared without regard to case.
 */
export function isIndependent(custody: CustodySource, confirmation: ConfirmationSource): boolean {
  const names = [custody.sourceSystem, custody.custodian].map((name) => name.toLowerCase());
  const others = new Set(
    [confirmation.sourceSystem, confirmation.executingBroker].map((name) => name.toLowerCase()),
  );
  return !names.some((name) => others.has(name));
}
