import Router from '@koa/router';
import type { Middleware } from 'koa';

/** Matches a path segment without parameters and patterns. */
const FIXED = /^[\w.~-]+$/;

/** The routes of a group, and the middleware that passes a request to them. */
type Group = { router: Router; pass: Middleware };

/**
 * Routes below a common prefix, grouped by the first segment after it. A router compares a request with each of its
 * routes in turn, so a request is compared only with the routes of its group.
 */
export class GroupedRoutes {
  readonly #prefix: `/${string}`;
  readonly #groups = new Map<string, Group>();

  constructor(prefix: `/${string}`) {
    this.#prefix = prefix;
  }

  /**
   * Adds a route. If several routes match a request, the first one handles it. Throws if the first segment of the path is
   * not a fixed text.
   */
  register(path: `/${string}`, method: string, middleware: readonly Middleware[]): void {
    const name = path.split('/')[1]!.toLowerCase();
    if (!FIXED.test(name)) throw new Error(`the first segment of ${path} is not a fixed text`);
    const group = this.#groups.get(name) ?? createGroup(this.#prefix);
    this.#groups.set(name, group);
    group.router.register(path, [method], middleware as never);
  }

  /** Returns the routes that match a request, as `match` of a router does. */
  match(path: string, method: string): ReturnType<Router['match']> {
    return this.#groupOf(path)?.router.match(path, method) ?? { path: [], pathAndMethod: [], route: false };
  }

  /** Returns the middleware that passes a request to the route that matches. */
  routes(): Middleware {
    return (ctx, next) => this.#groupOf(ctx.path)?.pass(ctx, next) ?? next();
  }

  /** Returns the group of a path. As in a router, the case of letters makes no difference. */
  #groupOf(path: string): Group | undefined {
    const depth = this.#prefix.split('/').length;
    return this.#groups.get(path.split('/', depth + 1)[depth]?.toLowerCase() ?? '');
  }
}

function createGroup(prefix: string): Group {
  const router = new Router({ prefix });
  return { router, pass: router.routes() as unknown as Middleware };
}
