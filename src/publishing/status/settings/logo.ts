import { createHash } from "node:crypto";
import { STATUS_PAGE_BOUNDS } from "../../../contract/status-page.ts";
import { type Logo, LOGO_TYPES, type LogoType } from "./settings.ts";

/** How files of a type begin: bytes at offsets. */
const SIGNATURES: Record<LogoType, readonly (readonly [offset: number, hex: string])[]> = {
  "image/png": [[0, "89504e470d0a1a0a"]],
  "image/jpeg": [[0, "ffd8ff"]],
  "image/webp": [
    [0, "52494646"],
    [8, "57454250"],
  ],
};

/** The picture in a `data:` URL, or what is wrong with it. What it is decides its bytes and not its sender: the answer's type is never another. */
export function readLogo(dataUrl: string): Logo | { fault: string } {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
  if (bytes.length > STATUS_PAGE_BOUNDS.logoBytes) return { fault: `Must be at most ${STATUS_PAGE_BOUNDS.logoBytes / 1000} kB` };
  const mediaType = LOGO_TYPES.find((type) =>
    SIGNATURES[type].every(([at, hex]) => bytes.toString("hex", at, at + hex.length / 2) === hex),
  );
  if (mediaType === undefined) return { fault: "Must be a PNG, JPEG or WebP picture" };
  return toLogo(bytes, mediaType);
}

export function toLogo(bytes: Buffer, mediaType: LogoType): Logo {
  return { bytes, mediaType, version: createHash("sha256").update(bytes).digest("hex").slice(0, 12) };
}
