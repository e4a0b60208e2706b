/** How the Redis of a bench keeps what it is told: as the one of `docker/compose.yaml`. */
export const REDIS_DURABILITY = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'] as const;
