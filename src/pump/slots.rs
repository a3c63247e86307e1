//! Places of descriptors. The number of a place is used again; a token says also
//! which use of it is meant.

use mio::Token;

/// One borrowed descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The descriptor.
    pub descriptor: i32,
    /// Heads of so many bytes and more are not parsed.
    pub limit: usize,
    /// Nor are heads of more fields than this.
    pub fields: usize,
    /// Whether it is watched.
    pub watched: bool,
    /// Whether it keeps the process alive while it is watched.
    pub holds: bool,
}

#[derive(Default)]
struct Place {
    generation: u32,
    slot: Option<Slot>,
}

/// All places.
#[derive(Default)]
pub struct Slots {
    places: Vec<Place>,
    free: Vec<u32>,
    holding: usize,
}

impl Slot {
    const fn is_holding(&self) -> bool {
        self.watched && self.holds
    }
}

const fn token_of(index: u32, generation: u32) -> Token {
    Token(((generation as usize) << 32) | index as usize)
}

impl Slots {
    /// Puts a slot in a free place.
    pub fn insert(&mut self, slot: Slot) -> (u32, Token) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place::default());
            self.places.len() as u32 - 1
        });
        let place = &mut self.places[index as usize];
        place.slot = Some(slot);
        self.holding += usize::from(slot.is_holding());
        (index, token_of(index, place.generation))
    }

    /// Empties a place.
    pub fn remove(&mut self, index: u32) -> Option<Slot> {
        let place = self.places.get_mut(index as usize)?;
        let slot = place.slot.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(index);
        self.holding -= usize::from(slot.is_holding());
        Some(slot)
    }

    /// Changes the slot in a place. Returns it as it was, and its token.
    pub fn change(&mut self, index: u32, change: impl Fn(&mut Slot)) -> Option<(Slot, Token)> {
        let place = self.places.get_mut(index as usize)?;
        let slot = place.slot.as_mut()?;
        let before = *slot;
        change(slot);
        self.holding += usize::from(slot.is_holding());
        self.holding -= usize::from(before.is_holding());
        Some((before, token_of(index, place.generation)))
    }

    /// The slot that a token was given for, unless it was removed since.
    pub fn find(&self, token: Token) -> Option<(u32, Slot)> {
        let index = token.0 as u32;
        let place = self.places.get(index as usize)?;
        if token_of(index, place.generation) != token {
            return None;
        }
        Some((index, place.slot?))
    }

    /// Whether a watched slot keeps the process alive.
    pub fn is_held(&self) -> bool {
        self.holding > 0
    }
}
