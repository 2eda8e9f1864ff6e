import { z } from "zod";
import { pathId } from "../../../http/schemas.ts";

export const caseParams = z.strictObject({ id: pathId });
