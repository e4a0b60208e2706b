import type { Manifest } from '#lib/core/product.ts';
import { manifests } from '#lib/products.ts';

/** The folders below `api/`, `api/cli/`, `lib/` and `workers/` that hold the code of a product. */
export function foldersOf({ folder, code = [folder] }: Manifest): readonly string[] {
  return code;
}

/** The manifest whose folders hold a file, by the longest of them. */
export function manifestOf(file: string): Manifest | undefined {
  const below = file.replace(/^\w+\/(cli\/)?/, '');
  const holding = manifests.flatMap((manifest) =>
    foldersOf(manifest)
      .filter((folder) => below.startsWith(`${folder}/`))
      .map((folder) => ({ manifest, length: folder.length })),
  );
  return holding.sort((one, other) => other.length - one.length)[0]?.manifest;
}

/** The folders of the products that the manifest of a file says it uses. */
export function usedBy(file: string): string[] {
  const uses = manifestOf(file)?.uses ?? [];
  return manifests.filter(({ folder }) => uses.includes(folder)).flatMap(foldersOf);
}
