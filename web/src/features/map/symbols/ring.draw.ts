export function drawRing({
  context,
  x,
  y,
  radius,
  width,
  colour,
}: {
  context: CanvasRenderingContext2D;
  x: number;
  y: number;
  radius: number;
  width: number;
  colour: string;
}): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}
