/** A pattern of image names: what a name is made of, `*` for any text and `?` for one character. */
export const IMAGE_PATTERN = /^[A-Za-z0-9._\-/:@*?]+$/;

/**
 * Whether a whole text is of a pattern in which `*` stands for any text and `?` for one character. Never goes back further than to the last star, so
 * that no pattern takes more than its length times the text's.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star: { after: number; from: number } | undefined;
  while (from < text.length) {
    const wanted = pattern[at];
    if (wanted === "*") {
      star = { after: at + 1, from };
      at += 1;
    } else if (wanted !== undefined && (wanted === "?" || wanted === text[from])) {
      at += 1;
      from += 1;
    } else if (star !== undefined) {
      star = { ...star, from: star.from + 1 };
      at = star.after;
      from = star.from;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}

/** The names under which people know an image: as written, in full, and both without tag and digest. `nginx` is `docker.io/library/nginx:latest`. */
export function namesOfImage(image: string): string[] {
  const [named = ""] = image.split("@");
  const bare = withoutTag(image);
  const [first = "", ...rest] = bare.split("/");
  const hosted = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const full = hosted ? bare : `docker.io/${rest.length === 0 ? "library/" : ""}${bare}`;
  const tag = bare === named && image.includes("@") ? "" : `:${tagOf(image)}`;
  return [...new Set([image, named, bare, full + tag, full])];
}

/** An image's name with another tag, and without a digest. */
export function imageWithTag(image: string, tag: string): string {
  return `${withoutTag(image)}:${tag}`;
}

export function withoutTag(image: string): string {
  const [named = ""] = image.split("@");
  const colon = named.lastIndexOf(":");
  return colon > named.lastIndexOf("/") ? named.slice(0, colon) : named;
}

/** Without one it means `latest`. */
export function tagOf(image: string): string {
  const [named = ""] = image.split("@");
  const bare = withoutTag(named);
  return bare === named ? "latest" : named.slice(bare.length + 1);
}

export function excludes(pattern: string, image: string): boolean {
  return excluderOf(image)(pattern);
}

/** Whether patterns exclude an image; its names are made once, since there may be very many patterns. Case is ignored: people write names as they like. */
export function excluderOf(image: string): (pattern: string) => boolean {
  const names = namesOfImage(image.toLowerCase());
  return (pattern) => {
    const wanted = pattern.toLowerCase();
    return names.some((name) => matchesGlob(wanted, name));
  };
}
