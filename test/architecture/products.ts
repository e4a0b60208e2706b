import type { Manifest } from '#lib/core/product.ts';
import { manifests } from '#lib/products.ts';

/** Returns the folders below `api/`, `api/cli/`, `lib/` and `workers/` that contain the code of a product. */
export function foldersOf({ folder, code = [folder] }: Manifest): readonly string[] {
  return code;
}

/** Returns the manifest whose folders contain a file, preferring the longest matching folder. */
export function manifestOf(file: string): Manifest | undefined {
  const below = file.replace(/^\w+\/(cli\/)?/, '');
  const holding = manifests.flatMap((manifest) =>
    foldersOf(manifest)
      .filter((folder) => below.startsWith(`${folder}/`))
      .map((folder) => ({ manifest, length: folder.length })),
  );
  return holding.sort((one, other) => other.length - one.length)[0]?.manifest;
}

/** Returns the folders of the products that a file's manifest declares as used. */
export function usedBy(file: string): string[] {
  const uses = manifestOf(file)?.uses ?? [];
  return manifests.filter(({ folder }) => uses.includes(folder)).flatMap(foldersOf);
}
