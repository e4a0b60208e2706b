const properties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
  'opacity',
];

/** Downloads the first chart of the page. The picture contains its colours, so it looks the same everywhere. */
export async function exportChart(kind: string): Promise<void> {
  const source = document.querySelector<SVGSVGElement>('.chart svg');
  if (!source) return;
  const copy = source.cloneNode(true) as SVGSVGElement;
  const [from, to] = [source.querySelectorAll('*'), copy.querySelectorAll('*')];
  for (const [index, node] of from.entries()) {
    const style = getComputedStyle(node);
    for (const name of properties) to[index]!.setAttribute(name, style.getPropertyValue(name));
    to[index]!.removeAttribute('class');
  }
  const picture = new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
  const file = kind === 'png' ? await pngOf(picture, source) : picture;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `chart.${kind === 'png' ? 'png' : 'svg'}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Paints a picture at twice its size on the background of the page. */
async function pngOf(picture: Blob, { clientWidth, clientHeight }: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(picture);
  await image.decode();
  const canvas = new OffscreenCanvas(clientWidth * 2, clientHeight * 2);
  const context = canvas.getContext('2d')!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return canvas.convertToBlob({ type: 'image/png' });
}
