import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  'x-extension'?: boolean;
  parameters?: { name: string; in: string; description?: string; schema: Record<string, unknown> }[];
  requestBody?: { required?: boolean };
  responses: Record<string, DocumentedAnswer | { $ref: string }>;
}
interface DocumentedAnswer {
  description: string;
  headers?: Record<string, { description?: string; required?: boolean }>;
  content?: Record<string, { schema: object }>;
}
export interface Document {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, DocumentedAnswer> };
}
type Schema = Record<string, unknown> & { properties?: Record<string, Schema> };

/** The OpenAPI document, with its operations and validators of its schemas. */
export function createOpenApi(document: Document) {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const validatorAt = (pointer: string[]) => {
    const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    return ajv.getSchema(`openapi#/${escaped.join('/')}`)!;
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  return {
    operations,
    /** The validator of a named schema. */
    validator: (name: string) => validatorAt(['components', 'schemas', name]),
    /** A documented response, with the validator of its body by media type; undefined if it is not documented. */
    response(operationId: string, status: number) {
      const { path, method, responses } = operations.find((each) => each.operationId === operationId)!;
      const found = responses[status];
      if (!found) return undefined;
      const shared = '$ref' in found ? found.$ref.split('/').slice(1) : undefined;
      const pointer = shared ?? ['paths', path, method, 'responses', String(status)];
      const answer = shared ? document.components.responses[shared.at(-1)!]! : (found as DocumentedAnswer);
      return { ...answer, validator: (type: string) => validatorAt([...pointer, 'content', type, 'schema']) };
    },
  };
}
