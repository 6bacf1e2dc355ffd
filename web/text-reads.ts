/** Which texts code reads, as it is written: the build divides the texts by it, and a test finds those that no code reads. */

/** The keys to a text, from the outermost. In what code reads, `*` is a key that is known only when it runs. */
export type Path = readonly string[];

export interface Node {
  type: string;
  [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** What the code reads of `t`, and of its variables that are parts of `t`. A part that it passes on counts as a whole. */
export function pathsReadIn(program: unknown): Path[] {
  const read: Path[] = [];
  const variables = new Map<unknown, Path[]>([['t', [[]]]]);

  const pathsOf = (node: Node): Path[] => {
    if (node.type === 'Identifier') return variables.get(node.name) ?? [];
    if (node.type !== 'MemberExpression' || !isNode(node.object) || !isNode(node.property)) return [];
    const { property } = node;
    const key = node.computed === true ? '*' : String(property.name);
    return pathsOf(node.object).map((path) => [...path, key]);
  };

  const declare = (name: unknown, paths: Path[]) => variables.set(name, [...(variables.get(name) ?? []), ...paths]);

  /** True if the variables of the declaration are parts of `t`. */
  const declaresTexts = ({ id, init }: Node): boolean => {
    const paths = isNode(init) ? pathsOf(init) : [];
    if (paths.length === 0 || !isNode(id)) return false;
    if (id.type === 'Identifier') declare(id.name, paths);
    if (id.type !== 'ObjectPattern') return id.type === 'Identifier';
    for (const { key, value } of id.properties as { key: Node; value: Node }[]) {
      const inner = paths.map((path) => [...path, String(key.name)]);
      if (value.type === 'Identifier') declare(value.name, inner);
      else read.push(...inner);
    }
    return true;
  };

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (value.type === 'VariableDeclarator' && declaresTexts(value)) return visitKeys(value.init);
    const paths = pathsOf(value).filter((path) => path.length > 0);
    read.push(...paths);
    if (paths.length > 0) return visitKeys(value);
    Object.values(value).forEach(visit);
  };

  /** Visits the computed keys of an expression that reads texts. */
  const visitKeys = (value: unknown): void => {
    if (!isNode(value) || value.type !== 'MemberExpression') return;
    if (value.computed === true) visit(value.property);
    visitKeys(value.object);
  };

  visit(program);
  return read;
}

/** The paths of all texts. */
export function leavesOf(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner).map((path) => [key, ...path]));
}

/** Whether code that reads the path shows the text. */
export const shows = (read: Path, text: Path) =>
  read.slice(0, text.length).every((key, index) => key === '*' || key === text[index]);
