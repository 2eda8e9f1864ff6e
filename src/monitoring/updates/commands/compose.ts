/** Containers of Docker Compose, by the labels that both its versions write. */
import { type CommandInput, type RuntimeCommands, quote, quoteAll } from "./command.ts";

const PROJECT = "com.docker.compose.project";
/** What our own commands call the file they hand to Compose. Compose notes it on the container, and the next command must not look for it. */
const OVERRIDE_NAME = "image-override";
const OVERRIDE = new RegExp(`/${OVERRIDE_NAME}\\.[A-Za-z0-9]+$`);

/** Debian's and others' older Compose is a separate command. */
const COMPOSE = 'compose() { if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi; }';

const FILES = "It needs the project's files where Compose found them.";
const FILE_STAYS = "The compose file is not changed: update the image there too, or the next `up` restores the old one.";

const LABELS = {
  project: PROJECT,
  service: "com.docker.compose.service",
  folder: `${PROJECT}.working_dir`,
  files: `${PROJECT}.config_files`,
  variables: `${PROJECT}.environment_file`,
} as const;

/** Of what Compose takes. Neither begins with a dash, so no command needs `--` before them, which older versions would take for a name. */
const PROJECT_NAME = /^[a-z0-9][a-z0-9_-]*$/;
const SERVICE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** Without characters that are not seen, or change how a terminal shows the rest, and without a way up. */
const PLAIN_PATH = /^\/(?!(?:.*\/)?\.\.(?:\/|$))[^\p{C}\p{Zl}\p{Zp}]*$/u;

/** A project as the labels of a container name it. The author of the container or its image may have written anything there. */
interface Project {
  name: string;
  service: string;
  folder: string;
  /** At least one; older versions note them as they were given, seen from the folder. */
  files: string[];
  variables: string[];
}

/** undefined when it is no container of Compose, or its labels do not say enough; a sentence when they say what no command may hold. */
function projectOf(labels: Readonly<Record<string, string>>): Project | string | undefined {
  const { [LABELS.project]: name, [LABELS.service]: service, [LABELS.folder]: folder } = labels;
  if (!name || !service || !folder || !labels[LABELS.files]) return undefined;
  if (!PROJECT_NAME.test(name)) return refusal("project", "names no project of Compose");
  if (!SERVICE_NAME.test(service)) return refusal("service", "names no service of Compose");
  const within = (label: string | undefined): string[] =>
    listed(label).map((file) => (file.startsWith("/") || file.startsWith("-") ? file : `${folder}/${file}`));
  const files = within(labels[LABELS.files]).filter((file) => !OVERRIDE.test(file));
  const variables = within(labels[LABELS.variables]);
  for (const [label, paths] of Object.entries({ folder: [folder], files, variables }))
    if (!paths.every((path) => PLAIN_PATH.test(path)))
      return refusal(label as keyof typeof LABELS, "holds what is no plain, absolute path");
  return files.length === 0 ? undefined : { name, service, folder, files, variables };
}

function refusal(label: keyof typeof LABELS, why: string): string {
  return `The label ${LABELS[label]} ${why}, so this is no command of Compose.`;
}

/** Why a container that says to be of Compose gets no command of Compose; undefined when there is nothing to say. */
export function composeRefusal({ labels }: CommandInput["container"]): string | undefined {
  const project = projectOf(labels);
  return typeof project === "string" ? project : undefined;
}

/** undefined when it is no container of Compose, or its labels cannot be used. */
export function composeCommands({ labels }: CommandInput["container"]): RuntimeCommands | undefined {
  const project = projectOf(labels);
  if (project === undefined || typeof project === "string") return undefined;
  const { name, service, folder, files, variables } = project;
  const options = [
    ...["-p", name, "--project-directory", folder],
    ...variables.flatMap((file) => ["--env-file", file]),
    ...files.flatMap((file) => ["-f", file]),
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
            `sed -n '/^version:/p' ${quote(files[0] ?? "")} > "$override" || exit`,
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
