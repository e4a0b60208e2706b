/** Configures durability of the bench's Redis as in `docker/compose.yaml`. */
export const REDIS_DURABILITY = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'] as const;
