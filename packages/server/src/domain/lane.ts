/** A transaction in a lane changes what lanes share, or another lane. It must be repeated without one, or in that one. */
export class NotInLane extends Error {
  override readonly name = 'NotInLane';
}
