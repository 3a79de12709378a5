! SPDX-License-Identifier: MIT
! A communicator of mpi_f08: every other process, in reverse order.
program communicator
  use mpi_f08
  use hit
  implicit none
  type(hit_context) :: h
  type(MPI_Comm) :: half
  integer :: rank

  if (hit_open_from(MPI_COMM_WORLD%mpi_val, h) == hit_ok) error stop "a communicator before MPI_Init() was taken"
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half)
  call hit_must(hit_open_from(half%mpi_val, h, "host:threads=1"))
  block
    integer :: size, mine
    call MPI_Comm_size(half, size)
    call MPI_Comm_rank(half, mine)
    if (hit_size(h) /= size .or. hit_rank(h) /= mine) error stop "another communicator"
  end block
  call hit_must(hit_barrier(h))
  call hit_close(h)
  if (hit_open_from(MPI_COMM_NULL%mpi_val, h) == hit_ok) error stop "MPI_COMM_NULL was taken"
  if (index(hit_status_text(), "MPI_COMM_NULL") == 0) error stop "MPI_COMM_NULL has another text"
  if (rank == 0) print '(a)', "ok: a communicator"
  call MPI_Finalize()
end program
