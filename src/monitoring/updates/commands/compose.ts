/** Containers of Docker Compose, by the labels that both its versions write. */
import type { CommandInput, Way } from "./command.ts";
import { quote, quoteAll } from "./quote.ts";

const PROJECT = "com.docker.compose.project";
/** What our own commands call the file they hand to Compose. Compose notes it on the container, and the next command must not look for it. */
const OVERRIDE_NAME = "image-override";
const OVERRIDE = new RegExp(`/${OVERRIDE_NAME}\\.[A-Za-z0-9]+$`);

/** Debian's and others' older Compose is a command of its own. */
const COMPOSE = 'compose() { if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi; }';

const FILES = "It needs the project's files where Compose found them.";
const FILE_STAYS = "The compose file stays as it is: write the image into it too, or the next `up` brings the old one back.";

/** undefined when it is no container of Compose, or its labels do not say enough. */
export function composeWay({ labels }: CommandInput["container"]): Way | undefined {
  const project = labels[PROJECT];
  const service = labels["com.docker.compose.service"];
  const folder = labels[`${PROJECT}.working_dir`];
  const files = listed(labels[`${PROJECT}.config_files`]).filter((file) => !OVERRIDE.test(file));
  if (!project || !service || !folder?.startsWith("/") || files.length === 0 || files.includes("-")) return undefined;

  const paths = files.map((file) => (file.startsWith("/") ? file : `${folder}/${file}`));
  const variables = listed(labels[`${PROJECT}.environment_file`]);
  const options = [
    ...["-p", project, "--project-directory", folder],
    ...variables.flatMap((file) => ["--env-file", file]),
    ...paths.flatMap((file) => ["-f", file]),
  ];
  const start = `compose "$@" pull ${quote(service)} && compose "$@" up -d --no-deps ${quote(service)}`;
  return {
    command: (image, { keepsName }) => {
      const steps = keepsName
        ? [`set -- ${quoteAll(options)}`, start]
        : [
            `override=$(mktemp /tmp/${OVERRIDE_NAME}.XXXXXX) || exit`,
            "trap 'rm -f \"$override\"' EXIT",
            // Older versions want the same version in all files.
            `sed -n '/^version:/p' ${quote(paths[0] ?? "")} > "$override" || exit`,
            `printf '%s\\n' services: ${quote(`  ${JSON.stringify(service)}:`)} ${quote(`    image: ${JSON.stringify(image)}`)} >> "$override"`,
            `set -- ${quoteAll(options)} -f "$override"`,
            start,
          ];
      return {
        text: ["(", ...[COMPOSE, ...steps].map((line) => `  ${line}`), ")"].join("\n"),
        note: keepsName ? FILES : `${FILE_STAYS} ${FILES}`,
      };
    },
  };
}

function listed(label: string | undefined): string[] {
  return (label ?? "").split(",").filter((item) => item !== "");
}
