/** What is known of the container and its image when a command is made, and what a command is. */
import type { UpdateType } from "../../../events.ts";
import type { SavedContainer } from "../../containers/index.ts";

/** A workload of Kubernetes, as far as its image is set by a command. */
export interface Workload {
  /** `Deployment`, `StatefulSet`, ... */
  kind: string;
  name: string;
  namespace: string;
  /** Names of the containers of its pod template that run the image. */
  containers: readonly string[];
}

/** The workload that a container stands for; null of others, and where it is not seen. */
export type WorkloadOf = (container: Pick<SavedContainer, "agentId" | "externalId" | "image" | "runtime">) => Workload | null;

/** For the shell of the host that the container runs on. */
export interface Command {
  /** Of one or more lines. */
  text: string;
  /** A sentence or two on what it does not do, or needs. */
  note: string | null;
}

export interface CommandInput {
  container: Pick<SavedContainer, "name" | "image" | "imageId" | "runtime" | "labels" | "agentId">;
  /** The repository as the person wrote it: `nginx`, `ghcr.io/x/y`. */
  registryName: string;
  currentTag: string | null;
  /** By which a registry knows the image; null when it was built on the host. */
  currentDigest: string | null;
  availableTag: string | null;
  availableDigest: string | null;
  /** null when nothing newer is known. */
  updateType: UpdateType | null;
  /** What of Kubernetes the container stands for; absent or null where that is not known. */
  workload?: Workload | null;
  /** Of an update that was made: whether what is gone back to has another name than what runs. Absent for one that is yet to be made. */
  wasRenamed?: boolean;
}

interface ImageOptions {
  keepsName: boolean;
  /** By which a registry knows what is to run; absent where that is not known, or in the image's name. */
  digest?: string | null;
}

/** An update that is undone. */
export interface UpdateChange {
  /** Whether the image before has another name. */
  wasRenamed: boolean;
  /** It was made some time ago, else it is yet to be made. */
  isPast: boolean;
}

/** How to make one kind of runtime run another image. */
export interface RuntimeCommands {
  /**
   * `keepsName`: the image has the name that the container's file or service already has, and only its content is another. null where no command makes it
   * run that.
   */
  command(image: string, options: ImageOptions): Command | null;
  /** Goes back by what the runtime remembers; null where it does not remember that change, absent where it remembers none. */
  undo?(change: UpdateChange): Command | null;
}

/** Text as one word of a POSIX shell, whatever is in it. Words that no shell reads otherwise stay as they are. Without NUL: no word can hold it. */
export function quote(text: string): string {
  const word = text.replaceAll("\0", "");
  return /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+:,./=-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Words as one line. */
export function quoteAll(words: readonly string[]): string {
  return words.map(quote).join(" ");
}
