/** Whether a pattern, in which `*` stands for any text and `?` for one character, leaves an image out: by one of the names that people know it under. As the server decides. */
export function excludes(pattern: string, image: string): boolean {
  const wanted = pattern.toLowerCase();
  return namesOf(image.toLowerCase()).some((name) => fits(wanted, name));
}

/** As written, in full, and both without tag and digest. */
function namesOf(image: string): string[] {
  const named = image.split("@")[0] ?? image;
  const bare = bareImage(image);
  const tag = named.slice(bare.length) || (image === named ? ":latest" : "");
  const [first = "", ...rest] = bare.split("/");
  const isHosted = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const full = isHosted ? bare : `docker.io/${rest.length === 0 ? "library/" : ""}${bare}`;
  return [image, named, bare, full + tag, full];
}

/** An image's name without tag and digest; of `registry.lan:5000/web:1.2@sha256:…` it is `registry.lan:5000/web`. */
export function bareImage(image: string): string {
  const named = image.split("@")[0] ?? image;
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  return colon === -1 ? named : named.slice(0, colon);
}

/** Whether all of a text fits. It never takes more steps than one length times the other. */
function fits(pattern: string, text: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star: { inPattern: number; at: number } | undefined;
  while (at < text.length) {
    const sign = pattern[inPattern];
    if (sign === "*") {
      star = { inPattern, at };
      inPattern += 1;
    } else if (sign !== undefined && (sign === "?" || sign === text[at])) {
      inPattern += 1;
      at += 1;
    } else if (star !== undefined) {
      // The last star takes one character more.
      star = { inPattern: star.inPattern, at: star.at + 1 };
      inPattern = star.inPattern + 1;
      at = star.at;
    } else return false;
  }
  while (pattern[inPattern] === "*") inPattern += 1;
  return inPattern === pattern.length;
}
