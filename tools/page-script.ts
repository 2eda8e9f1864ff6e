/** The script of the public status page as the text that the server sends, made of web/src/public-page. */
import { join } from "node:path";
import { rolldown } from "rolldown";

const ENTRY = join(import.meta.dirname, "../web/src/public-page/main.ts");

export async function pageScript(): Promise<string> {
  const bundle = await rolldown({ input: ENTRY });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  await bundle.close();
  return ["// Made from web/src/public-page by `npm run generate`.", `export const SCRIPT = ${JSON.stringify(output[0].code)};`]
    .join("\n")
    .concat("\n");
}
