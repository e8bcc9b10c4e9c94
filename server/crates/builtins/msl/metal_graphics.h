//! Derivatives, discarding and sample queries of fragment functions.
