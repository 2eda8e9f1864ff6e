/** An image's reference on one line. Where space is short its middle goes: the name and tag at the end matter more than the registry. */
export function ImageName({ image }: { image: string }) {
  const cut = image.lastIndexOf("/") + 1;
  return (
    <bdi title={image} className="flex min-w-0 text-left">
      <span className="truncate">{image.slice(0, cut)}</span>
      <span className="max-w-full shrink-0 truncate">{image.slice(cut)}</span>
    </bdi>
  );
}
