/** The slope of a line through points, by least squares. */
export function slope(points: ReadonlyArray<readonly [x: number, y: number]>): number {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const [x, y] = [mean(points.map((point) => point[0])), mean(points.map((point) => point[1]))];
	const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
	return above / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
