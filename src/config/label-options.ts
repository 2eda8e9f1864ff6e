/** The options of what labels may ask for, as part of the table in options.ts. Source: contract, section 19. */
import { choice, list, toggle, type Option } from "./value-types.ts";

export const LABEL_OPTIONS = {
  labelCheckMethods: {
    flag: "--label-check-methods",
    env: "LABEL_CHECK_METHODS",
    type: list(choice(["options", "post", "put", "patch", "delete"])),
    default: "",
    help: "Methods that HTTP checks of labels may use in addition to GET and HEAD: options, post, put, patch, delete. They may change something where they go.",
  },
  imageLabels: {
    flag: "--image-labels",
    env: "IMAGE_LABELS",
    type: toggle,
    default: "false",
    help: "Let `service.*` labels that an image brings count as if they were written on its containers.",
  },
} as const satisfies Record<string, Option>;
